import { expect, test } from "vitest";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerTerminalTools, type TerminalSource } from "../../src/tools/terminal";
import { callers } from "./toolBench";

const output = "\u001b[32mok\u001b[0m 1\n10%\r50%\r100%\nlast\u0007 line\n";
const source: TerminalSource = {
  list: async (projectId) =>
    projectId === "mine"
      ? [{ id: "t1", title: "dev\nserver", cwd: "/w", command: "npm run dev", idleMs: 12_400 }, { id: "t2" }]
      : [],
  // Careless on purpose: it does not look at the project.
  read: (_projectId, id, lines) =>
    id === "t2"
      ? "x".repeat(50_000)
      : output
          .split("\n")
          .slice(-lines - 1)
          .join("\n"),
};

function bench(projectId: string) {
  const registry = new ToolRegistry();
  registerTerminalTools(registry, { terminals: source, projectId });
  return callers(registry);
}

test("lists the project's terminals", async () => {
  expect(await bench("mine").text("terminal_list", {})).toBe("t1  dev\\nserver  /w  npm run dev  idle 12 s\nt2");
  expect(await bench("other").text("terminal_list", {})).toBe("No terminals are open.");
});

test("reads the last lines without colours and overwritten text", async () => {
  expect(await bench("mine").text("terminal_read", { terminal_id: "t1" })).toBe("ok 1\n100%\nlast line");
  expect(await bench("mine").text("terminal_read", { terminal_id: "t1", lines: 1 })).toBe("last line");
  expect((await bench("mine").text("terminal_read", { terminal_id: "t2" })).length).toBe(30_000);
});

test("knows no terminal of another project", async () => {
  expect(await bench("mine").error("terminal_read", { terminal_id: "t3" })).toBe("No such terminal.");
  expect(await bench("other").error("terminal_read", { terminal_id: "t1" })).toBe("No such terminal.");
});
