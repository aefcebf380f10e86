import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InputDecoder } from "../../../src/ui/input/decoder";
import { createSingleKeyGate } from "../../../src/ui/input/singleKey";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What gets through the gate, from bytes on; a number is a pause in milliseconds. */
function through(...steps: (string | number)[]): string[] {
  const keys: string[] = [];
  const gate = createSingleKeyGate((key) => keys.push(key));
  const decoder = new InputDecoder({ escapeWaitMs: 50, onEvent: (event) => gate.take(event) });
  for (const step of steps) {
    if (typeof step === "number") vi.advanceTimersByTime(step);
    else decoder.feed(Buffer.from(step));
  }
  vi.advanceTimersByTime(1000);
  return keys;
}

describe("the gate before an answer", () => {
  it.each<[string, (string | number)[], string[]]>([
    ["a key alone", ["y"], ["y"]],
    ["Escape", ["\u001b"], ["escape"]],
    ["two keys with time between", ["q", 100, "y"], ["q", "y"]],
    ["a key and a return in one read", ["y\r"], []],
    ["a key and a return right behind it", ["y", 5, "\r"], []],
    ["a burst in pieces", ["y", 1, "e", 1, "s"], []],
    ["a paste", ["\u001b[200~y\u001b[201~"], []],
    ["a key with Ctrl or Alt", ["\u0019", 100, "\u001by"], []],
    ["a key in the same read as an answer of the terminal", ["\u001b[?62cy"], []],
  ])("%s", (_, steps, expected) => expect(through(...steps)).toEqual(expected));
});
