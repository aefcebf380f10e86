/** The reference hooks: a session as plain lines (guide 11.2, 16.1). */
import { expect, test } from "vitest";
import { ConsoleHook, SubagentHook } from "../../src/hooks/ConsoleHook";

function collect<T>(make: (options: { write(text: string): void }) => T): { hook: T; text(): string } {
  const parts: string[] = [];
  return { hook: make({ write: (text) => parts.push(text) }), text: () => parts.join("") };
}

test("a turn as plain lines", () => {
  const { hook, text } = collect((options) => new ConsoleHook(options));
  hook.onTurnStart("fix\nthe test");
  hook.onToolProposed("run_shell", { command: "npm test", timeout_ms: 5 });
  hook.onPermissionRequired("run_shell", "It runs a command.");
  hook.onToolFinished("run_shell", "ok");
  hook.onRetry(1, 2, "network");
  hook.onError("The endpoint failed.", "server");
  hook.onAssistantMessage("It was\n**b**.\n", [], { input: 10, output: 4 });
  hook.onCompacting();
  hook.onCompacted();
  hook.onInterrupted();
  hook.onTurnEnd("completed", 2, ["a.ts", "b.ts"]);
  expect(text().split("\n")).toEqual([
    "> fix the test",
    "[tool] run_shell npm test",
    "[approval] run_shell: It runs a command.",
    "[tool] run_shell: ok",
    "[retry 1/2] network",
    "[error server] The endpoint failed.",
    "It was",
    "**b**.",
    "[tokens] 10 in, 4 out",
    "[compacting]",
    "[compacted]",
    "[interrupted]",
    "[turn] completed after 2 step(s), changed: a.ts, b.ts",
    "",
  ]);
});

test("a sub-agent's calls are indented under its name; success is silent", () => {
  const { hook, text } = collect((options) => new SubagentHook("explore", options));
  hook.onToolProposed("read_file", { path: "src/a.ts" });
  hook.onToolFinished("read_file", "ok");
  hook.onToolFinished("grep", "error");
  hook.onError("No route.");
  expect(text()).toBe("    [explore] read_file src/a.ts\n    [explore] grep: error\n    [explore] error: No route.\n");
});

test("nothing foreign acts on the terminal", () => {
  const { hook, text } = collect((options) => new ConsoleHook(options));
  hook.onToolProposed("run_shell", { command: "ls \u202e\u001b[2J" });
  hook.onAssistantMessage("a\u001b]0;title\u0007b\u001b[31m", []);
  expect(text()).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(text()).toContain("<U+202E>");
});
