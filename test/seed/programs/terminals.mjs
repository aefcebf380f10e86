// Guide 7.1: the host's terminals, of one project only.
import { registerTerminalTools, ToolRegistry } from "@zqagent/core";

/** @type {Record<string, { id: string, text: string }[]>} */
const open = { "tenant-42": [{ id: "t1", text: "one\ntwo\n" }], "tenant-43": [{ id: "t2", text: "secret" }] };

/** @type {import("@zqagent/core").TerminalSource} */
const myTerminalManager = {
  list: (projectId) => (open[projectId] ?? []).map(({ id }) => ({ id, title: "shell" })),
  read: (projectId, id, lines) =>
    open[projectId]
      ?.find((terminal) => terminal.id === id)
      ?.text.split("\n")
      .slice(0, lines)
      .join("\n") ?? null,
};

const registry = new ToolRegistry();
registerTerminalTools(registry, {
  terminals: myTerminalManager,
  projectId: "tenant-42",
});

for (const [name, args] of /** @type {[string, Record<string, unknown>][]} */ ([
  ["terminal_list", {}],
  ["terminal_read", { terminal_id: "t1" }],
  ["terminal_read", { terminal_id: "t2" }],
])) {
  const { content, status } = await registry.call(name, args);
  console.log(name, status, JSON.stringify(content));
}
