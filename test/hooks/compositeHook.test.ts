/** Several hooks as one: everybody hears everything, and nobody's failure is anybody else's (guide 11.2). */
import { expect, test } from "vitest";
import { CompositeHook } from "../../src/hooks/CompositeHook";
import type { EngineHook } from "../../src/shared/EngineHook";

/** One call of each callback, with the arguments that the engine gives. */
const calls: { [K in Exclude<keyof EngineHook, "settle" | "saved">]-?: Parameters<NonNullable<EngineHook[K]>> } = {
  onTurnStart: ["hello"],
  onTurnEnd: ["completed", 2, ["a.ts"]],
  onAssistantDelta: ["He"],
  onReasoningDelta: ["Hm"],
  onAssistantMessage: ["Hello", ["read_file"], { input: 1, output: 2 }],
  onToolProposed: ["read_file", { path: "a" }],
  onToolStarted: ["read_file"],
  onToolFinished: ["read_file", "ok", "1 line"],
  onPermissionRequired: ["run_shell", "It runs a command."],
  onIterationEnd: [1],
  onCompacting: [{ trigger: "threshold" }],
  onCompacted: ["summary", {}],
  onError: ["boom", "server", { retriable: true }],
  onRetry: [1, 2, "network"],
  onInterrupted: [3],
  onEvent: ["message_appended", { index: 0 }],
  onEach: [{ type: "turn_start", data: { input: "hello" } }],
};
const names = Object.keys(calls) as (keyof typeof calls)[];

/** A hook that notes every callback, and fails in each of them if it is told to. */
function recorder(heard: unknown[][], fails: boolean): EngineHook {
  const entries = names.map((name) => [
    name,
    (...args: unknown[]) => {
      heard.push([name, ...args]);
      if (fails) throw new Error(`${name} failed`);
    },
  ]);
  return Object.fromEntries(entries) as EngineHook;
}

function tell(hook: EngineHook, name: keyof typeof calls): void {
  (hook[name] as (...args: unknown[]) => void)(...calls[name]);
}

test.each(names)("%s reaches every hook, also behind one that throws", (name) => {
  const [first, second]: unknown[][][] = [[], []];
  const hook = new CompositeHook([recorder(first!, true), {}, null, undefined, recorder(second!, false)]);
  tell(hook, name);
  expect(first).toEqual([[name, ...calls[name]]]);
  expect(second).toEqual(first);
});

test("a method keeps its object", () => {
  class Counter implements EngineHook {
    count = 0;
    onTurnStart(): void {
      this.count += 1;
    }
  }
  const counter = new Counter();
  new CompositeHook([new CompositeHook([counter])]).onTurnStart("x");
  expect(counter.count).toBe(1);
});

test("saved waits as settle does", async () => {
  let release = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isOver = false;
  const hook = new CompositeHook([{ saved: () => waiting }, { saved: () => Promise.reject(new Error("full")) }, {}]);
  const over = hook.saved().finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  release();
  await expect(over).rejects.toThrow("full");
});

test("settle waits for all hooks, and tells of a failure only when all are done", async () => {
  const done: string[] = [];
  let release = (): void => {};
  const hook = new CompositeHook([
    {
      settle: async () => {
        throw new Error("no snapshot");
      },
    },
    {
      settle: () => {
        throw new Error("not even a promise");
      },
    },
    {
      settle: async (next) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        done.push(next === "end" ? next : next.toolName);
      },
    },
    {},
  ]);
  const settled = hook.settle({ toolName: "write_file", arguments: {} });
  let isOver = false;
  const over = settled
    .catch(() => {})
    .then(() => {
      isOver = true;
    });
  await Promise.resolve();
  expect(isOver).toBe(false);
  release();
  await over;
  expect(done).toEqual(["write_file"]);
  await expect(settled).rejects.toThrow("no snapshot");
});
