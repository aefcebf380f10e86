/** For each program: what the scripted model answers, and what must come out. */
import { expect } from "vitest";
import type { Reply } from "../../src/cli/demo/script";
import type { Performance } from "./programRun";

const say = (text: string): Reply => ({ text });
const call = (name: string, args: Record<string, unknown> = {}, id?: string) => ({ name, args, ...(id && { id }) });
const calls = (...made: ReturnType<typeof call>[]): Reply => ({ calls: made });

const TOOLS = [
  ...["apply_patch", "apply_unified_diff", "ask_user", "explore", "git_diff", "git_log", "git_status", "grep"],
  ...["list_files", "media", "propose_plan", "read_file", "replace_in_file", "request_directory", "run_shell"],
  ...["shell_task_kill", "shell_task_output", "todo_write", "web_fetch", "web_search", "write_file"],
].join(" ");

/** A server of the Model Context Protocol in a few lines: one message a line, two tools. */
const MCP_SERVER = `
import { createInterface } from "node:readline";
const tool = (name) => ({
  name,
  description: name === "greet" ? "Says hello to a person." : "Says goodbye to a person.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
});
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "greeter", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [tool("greet"), tool("part")] }),
  "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: "Hello, " + args.name + "." }] }),
  ping: () => ({}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params ?? {});
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }));
}
`;

export const performances: Record<string, Performance> = {
  "quick-start": {
    script: [
      calls(call("read_file", { path: "README.md" }), call("ask_user", { question: "Which?", options: ["a", "b"] })),
      calls(call("write_file", { path: "NOTES.md", content: "n\n" })),
      say("It is a demo."),
    ],
    prints: [
      "started read_file",
      "finished read_file: ok",
      "started ask_user",
      'question Which? {"options":["a","b"],"allowText":true,"multi":false}',
      "finished ask_user: ok",
      'approve write_file: It changes something. {"path":"NOTES.md","content":"n\\n"}',
      "started write_file",
      "finished write_file: ok",
      "It is a demo.",
      "end completed",
    ],
  },
  "sub-paths": { prints: [TOOLS, "code"] },
  "path-a": { prints: ["deepseek-chat interactive zh null", `21 ${TOOLS}`, "scripted"] },
  "path-b": {
    script: [calls(call("run_shell", { command: "ls" }), call("run_shell", { command: "rm README.md" })), say("Done.")],
    prints: [
      /^run_shell ok ?$/,
      "run_shell denied Denied by the user.",
      "completed 2",
      "You analyse data and nothing else.",
    ],
  },
  runtime: {
    script: [calls(call("run_shell", { command: "sleep 600" }))],
    prints: [
      "true",
      "true false",
      "queue_steering wait for me",
      "llm_request another-model 20",
      "interrupted 1",
      "turn_end interrupted",
      "system user user assistant tool",
      "Second.",
      "object",
    ],
  },
  terminals: {
    prints: [
      /^terminal_list ok "t1 +shell"$/,
      'terminal_read ok "one\\ntwo"',
      'terminal_read error "No such terminal."',
    ],
  },
  "custom-tool": {
    script: [calls(call("query_order", { order_id: "7" }), call("query_order", { order_id: "13" })), say("Shipped.")],
    prints: [
      "query_order myapp",
      /^approve query_order \{"category":"business","riskLevel":"high"/,
      "signal true",
      "query_order ok",
      /^approve query_order /,
      "signal true",
      "query_order error",
      '{"orderId":"7","status":"shipped","amount":12.5}',
      '{"error":"There is no order 13.","error_type":"RangeError"}',
      "1",
      "false",
      "true replaced",
      "false",
      'nameless_schema {"type":"object","properties":{}}',
    ],
  },
  "read-only-tools": { prints: [/^(read_file list_files|list_files read_file)$/, "true"] },
  decisions: {
    prints: [
      '{"DISCUSS":"discuss","PLAN":"plan","INTERACTIVE":"interactive","AUTO":"auto"} read',
      ...["discuss", "plan"].flatMap((mode) => [
        `${mode} write_file a.txt false false string`,
        `${mode} write_file /elsewhere/a.txt false false string`,
        `${mode} read_file a.txt true false string`,
      ]),
      "interactive write_file a.txt false true string",
      "interactive write_file /elsewhere/a.txt false false string",
      "interactive read_file a.txt true false string",
      "auto write_file a.txt true false string",
      "auto write_file /elsewhere/a.txt false false string",
      "auto read_file a.txt true false string",
      "interactive run_shell git status --short true false string",
      "interactive run_shell make false true string",
      "interactive run_shell make test true false string",
      "interactive write_file a.txt true false string",
    ],
  },
  approvals: {
    script: ({ messages }) => {
      // Two engines after the first one each begin a history of their own.
      const answered = messages.filter(({ role }) => role === "tool").length;
      const isFirst = JSON.stringify(messages).includes('"a1"') || messages.length === 0;
      if (answered === 0) return calls(call("run_shell", { command: "touch a" }, "a1"));
      if (!isFirst || answered > 4 || JSON.stringify(messages).includes("Denied by the user")) return say("Done.");
      if (answered === 1) return calls(call("run_shell", { command: "touch b" }, "a2"));
      if (answered === 2) return calls(call("run_shell", { command: "touch c" }, "a3"));
      if (answered === 3) return calls(call("run_shell", { command: "mkdir d" }, "a4"));
      return say("Done.");
    },
    prints: [
      '{"ONCE":"once","ALWAYS_TOOL":"always_tool","ALWAYS_COMMAND":"always_command","DENY":"deny"}',
      "required a1 shell",
      "run_shell a1 touch a -> once",
      "finished a1 ok",
      "required a2 shell",
      "run_shell a2 touch b -> always_command",
      "finished a2 ok",
      "finished a3 ok",
      "required a4 shell",
      "run_shell a4 mkdir d -> deny",
      "finished a4 denied",
      ...["allow ok", "allow ok", "allow ok", "allow ok"],
      "deny denied",
      "error interrupted",
      /^error Tool run_shell requires approval, but no approver was injected when assembling the engine\./,
    ],
  },
  "sandbox-options": { prints: ["auto boolean"] },
  "allow-list": {
    script: [calls(call("run_shell", { command: "mkdir made && ls" })), say("Done.")],
    prints: [
      "run_shell ok",
      '"ls" true',
      '"ls -l" true',
      '"lsof" false',
      '"ls; rm -rf /" false',
      '"cat a | sh" false',
      '"ls > a" false',
      '"ls $(id)" false',
      '"pnpm test" true',
    ],
  },
  events: {
    script: [
      { reasoning: "Hm.", text: "I write.", calls: [call("write_file", { path: "a", content: "a" })] },
      say("Done."),
    ],
    prints: [
      ...["turn_start", "llm_request", "reasoning_delta", "assistant_delta", "assistant_message", "tool_proposed"],
      ...["permission_required", "(the approver)", "tool_started", "tool_finished", "iteration_end"],
      ...["llm_request", "assistant_delta", "assistant_message", "iteration_end", "turn_end"],
    ],
  },
  sse: {
    script: [say("Hello.")],
    prints: [
      "200 text/event-stream",
      ...["turn_start", "llm_request", "assistant_message", "iteration_end", "turn_end"].map((type) => `${type} true`),
    ],
  },
  provider: { script: [say("Hello.")], prints: ["Hello.", "true true"] },
  "custom-provider": {
    prints: [
      "mine 2 1 string string",
      "thinks Hm.",
      "says  [ 'clock' ]",
      "mine 4 1 string string",
      "thinks Hm.",
      "says It is noon. []",
      "completed",
    ],
  },
  reasoning: {
    script: [say("Thought.")],
    prints: ["completed"],
    asked: ([request]) => expect(JSON.stringify(request?.body)).toContain('"effort":"high"'),
  },
  hooks: {
    script: [say("Hello.")],
    prints: ["> Hello", "Hello.", /^\[tokens\] \d+ in, \d+ out$/, "[turn] completed after 1 step(s)", "true"],
  },
  "save-and-restore": {
    script: [say("Hello, Ann."), say("Ann.")],
    prints: [
      "null",
      "true true",
      /^\{"sessionId":"s-1","model":"scripted",.*\} 3 false$/,
      "auto web_fetch",
      "true",
      "Ann.",
      "null",
    ],
    asked: ([, second]) => expect(JSON.stringify(second?.messages)).toContain("My name is Ann."),
  },
  turns: {
    script: [say("It has a README."), say("Changed.")],
    prints: ["It has a README.", "Changed."],
    asked: ([, second]) => {
      expect(second?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    },
  },
  interrupt: {
    script: [calls(call("run_shell", { command: "sleep 3600" })), say("On it goes.")],
    prints: ["tool_finished interrupted", "interrupted 1", "turn_end interrupted", "completed"],
  },
  retry: {
    script: [{ text: "Hello, I was about to say something.", fault: "cut" }, say("Hello.")],
    env: { NETWORK_RETRY_MAX: "0" },
    prints: ["error true", "error", "Hello.", "completed", "0"],
  },
  resume: {
    script: [calls(call("write_file", { path: "a.txt", content: "a" }, "w1")), say("Done.")],
    prints: ["asked w1", "answered w1", "write_file ok", "completed", "0"],
  },
  steering: {
    script: [calls(call("read_file", { path: "README.md" })), say("Both done.")],
    prints: [
      "taken back true",
      "Also run the tests null",
      "too late false",
      'Leave dist alone [{"name":"shot.png","mimeType":"image/png","size":8,"path":"PATH"}]',
      "too late false",
    ],
    asked: ([, second]) => {
      const users = second?.messages.filter(({ role }) => role === "user") ?? [];
      expect(JSON.stringify(users.slice(-2))).toContain("Leave dist alone");
      expect(JSON.stringify(users.slice(-1))).toContain("iVBORw0KGgo=");
    },
  },
  attachments: {
    script: [say("A picture."), say("The same.")],
    prints: [
      "4 10485760 attachments",
      "task-1 1 true",
      "completed",
      "shot.png image/png 8 iVBORw0KGgo=",
      "false",
      ...["true", "true", "true", "true"],
    ],
    asked: ([first, second]) => {
      expect(first?.raw).toContain("iVBORw0KGgo=");
      expect(second?.raw).not.toContain("iVBORw0KGgo=");
    },
  },
  compaction: {
    script: () => say("I see."),
    server: { side: [say(`1. Task: to keep the many words.\n${"2. Nothing else was asked for. ".repeat(10)}`)] },
    prints: [
      ...["1 completed", "2 completed"],
      "hook compacting threshold",
      "compacting contextWindow estimated outboundMessages taskId thresholdPct thresholdTokens tokens trigger",
      "hook compacted string summarized",
      "compacted summarized true",
      ...["3 completed", "4 completed"],
      "object",
    ],
  },
  mcp: {
    script: [calls(call("mcp__github__greet", { name: "Ann" })), say("Greeted.")],
    files: {
      "server.mjs": MCP_SERVER,
      ".agent/mcp.json": JSON.stringify({
        mcpServers: { github: { command: "node", args: ["server.mjs"] }, gone: { command: "no-such-program-here" } },
      }),
    },
    prints: [
      "0 github ocr gone",
      "mcp__github__greet mcp__github__part mcp__ocr__recognize",
      "mcp__github__greet mcp high true",
      "mcp__github__greet ok",
      /Hello, Ann\./,
      "mcp__github__greet",
      "0",
    ],
  },
  "mcp-configs": {
    prints: [
      "filesystem,stdio,true,npx -y a-server /data; remote,http,true,",
      "one,http,true,",
      "two,stdio,true,npx -y pkg",
      "three,stdio,true,npx -y pkg --flag; four,stdio,false,x",
      "ocr,builtin,false,",
      "ocr",
      "Bearer t",
      "two",
    ],
  },
  "mcp-lazy": {
    files: { "server.mjs": MCP_SERVER },
    prints: ["mcp_search_tools mcp_call_tool", "mcp_search_tools false; mcp_call_tool true", "true true"],
  },
  explore: {
    script: (request) => {
      const isChild = !request.tools.includes("write_file");
      const isAnswered = request.messages.at(-1)?.role === "tool";
      if (isChild) return isAnswered ? say("In src/app.ts.") : calls(call("read_file", { path: "src/app.ts" }));
      return isAnswered ? say("There.") : calls(call("explore", { task: "Find the greeting." }));
    },
    prints: [
      "    [explore] read_file src/app.ts",
      "explore ok",
      "In src/app.ts.",
      "    [mine] read_file src/app.ts",
      "ok In src/app.ts.",
    ],
  },
  agents: { prints: ["code cowork", 'deepseek-chat "You are a data analyst."'] },
  snapshots: {
    script: [
      calls(call("run_shell", { command: "printf one > src/app.ts" })),
      ...[say("Written."), say("Yes.")],
      calls(call("run_shell", { command: "printf two > src/app.ts" })),
      say("Written."),
    ],
    prints: [
      ...["completed", "completed", "completed"],
      "1 src/app.ts; 2 src/app.ts",
      "true true",
      '["src/app.ts"] two',
      /^\{"restored":\["src\/app\.ts"\],"overwritten":.*,"missing":\[\]\} one$/,
      "0 one",
    ],
  },
  "http-service": {
    script: [calls(call("write_file", { path: "a.txt", content: "a" })), say("Written."), say("Nothing.")],
    prints: [
      ...["first turn_start", "approved write_file", "first turn_end", "first closed"],
      ...["second turn_start", "second turn_end", "second closed"],
    ],
  },
  worker: {
    script: [
      calls(call("run_shell", { command: "npm test --version" }), call("write_file", { path: "a", content: "a" })),
      say("Done."),
    ],
    prints: ["tokens true", "run_shell ok", "write_file denied", "tokens true", "status completed"],
  },
};
