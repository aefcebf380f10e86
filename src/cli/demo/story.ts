/** The demo's scripted model: it knows one story, and answers what really happened (an approval denied, a test still failing). */

import type { Texts } from "../../shared/locales";
import { type Message, textOf } from "../../shared/messages";
import { typedText } from "../../shared/reminders";
import type { ModelRequest, Reply, ScriptedCall } from "./script";

const TEST: ScriptedCall = {
  name: "run_shell",
  args: { command: "node --test --test-reporter=spec", description: "Run the tests" },
};
const READS: ScriptedCall[] = [
  { name: "read_file", args: { path: "src/cart.js" } },
  { name: "read_file", args: { path: "test/cart.test.js" } },
  { name: "grep", args: { pattern: "total\\(", mode: "files" } },
];
const EDIT: ScriptedCall = {
  name: "replace_in_file",
  args: { path: "src/cart.js", old_string: "count > 10 ? 0.9 : 1", new_string: "count >= 10 ? 0.9 : 1" },
};

/** @param everyMs milliseconds between two deltas: a person likes to see it stream, a transcript does not care */
export function demoStory(texts: Texts["demo"], everyMs: number): (request: ModelRequest) => Reply {
  const say = (text: string, calls: ScriptedCall[] = []): Reply => ({ text, calls, chunk: 6, everyMs });
  return ({ messages }) => {
    const { prompt, results } = sincePrompt(messages);
    if (prompt !== texts.prompt) return say(texts.other);
    const last = results.at(-1) ?? "";
    switch (results.length) {
      case 0:
        return say(texts.start, [TEST]);
      case 1:
        return wasRefused(last) ? say(texts.deniedCommand) : say(texts.look, READS);
      case 1 + READS.length:
        return say(texts.found, [EDIT]);
      case 2 + READS.length:
        if (wasRefused(last)) return say(texts.deniedEdit);
        return last.startsWith("Edited") ? say(texts.again, [TEST]) : say(texts.failed);
      default:
        return say(wasRefused(last) ? texts.deniedCommand : last.includes("[exit 0") ? texts.done : texts.failed);
    }
  };
}

/** The newest thing that the person typed, and the results of the calls made since. */
function sincePrompt(messages: Message[]): { prompt: string; results: string[] } {
  const at = messages.findLastIndex((message) => message.role === "user" && typedText(message) !== "");
  const prompt = messages[at] ? typedText(messages[at]).trim() : "";
  const results = messages.slice(at + 1).filter((message) => message.role === "tool");
  return { prompt, results: results.map((message) => textOf(message.content)) };
}

function wasRefused(result: string): boolean {
  return /^(Denied|Not run)/.test(result);
}
