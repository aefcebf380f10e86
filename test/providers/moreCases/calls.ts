/** Calls as servers put them together: indexes, ids, names and arguments in every order seen or to be feared. */
import type { DialectCase } from "../dialectCase";
import { calls, chat, chatCalls, chunk, DONE, fragment, wanted } from "./build";

const A = wanted("read_file", { path: "a.txt" });
const B = wanted("read_file", { path: "b.txt" });
const ARGS_A = '{"path":"a.txt"}';
const ARGS_B = '{"path":"b.txt"}';

const indexes: DialectCase[] = [
  chatCalls(
    "tool-index/two-in-one-delta-without-anything",
    [
      calls(
        fragment(undefined, undefined, "read_file", ARGS_A),
        fragment(undefined, undefined, "grep", '{"pattern":"x"}'),
      ),
    ],
    [A, wanted("grep", { pattern: "x" })],
  ),
  chatCalls(
    "tool-index/two-of-one-tool-in-one-delta",
    [calls(fragment(undefined, undefined, "read_file", ARGS_A), fragment(undefined, undefined, "read_file", ARGS_B))],
    [A, B],
  ),
  chatCalls(
    "tool-index/interleaved",
    [
      calls(fragment(0, "call_a", "read_file", "")),
      calls(fragment(1, "call_b", "read_file", "")),
      calls(fragment(0, undefined, undefined, '{"path":')),
      calls(fragment(1, undefined, undefined, '{"path":"b')),
      calls(fragment(0, undefined, undefined, '"a.txt"}')),
      calls(fragment(1, undefined, undefined, '.txt"}')),
    ],
    [
      { ...A, id: "call_a" },
      { ...B, id: "call_b" },
    ],
  ),
  chatCalls(
    "tool-index/interleaved-by-id-alone",
    [
      calls(fragment(undefined, "call_a", "read_file", "")),
      calls(fragment(undefined, "call_b", "read_file", "")),
      calls(fragment(undefined, "call_a", undefined, '{"path":"a')),
      calls(fragment(undefined, "call_b", undefined, '{"path":"b')),
      calls(fragment(undefined, "call_a", undefined, '.txt"}')),
      calls(fragment(undefined, "call_b", undefined, '.txt"}')),
    ],
    [
      { ...A, id: "call_a" },
      { ...B, id: "call_b" },
    ],
  ),
  chatCalls(
    "tool-index/all-zero-in-pieces",
    [
      calls(fragment(0, "call_a", "read_file", "")),
      calls(fragment(0, undefined, undefined, '{"path":"a')),
      calls(fragment(0, undefined, undefined, '.txt"}')),
      calls(fragment(0, "call_b", "read_file", "")),
      calls(fragment(0, undefined, undefined, '{"path":"b')),
      calls(fragment(0, undefined, undefined, '.txt"}')),
    ],
    [
      { ...A, id: "call_a" },
      { ...B, id: "call_b" },
    ],
  ),
  chatCalls(
    "tool-index/as-text",
    [
      calls(fragment("0", "call_a", "read_file", '{"path":')),
      calls(fragment("1", "call_b", "grep", '{"pattern":')),
      calls(fragment("0", undefined, undefined, '"a.txt"}')),
      calls(fragment("1", undefined, undefined, '"x"}')),
    ],
    [A, wanted("grep", { pattern: "x" })],
  ),
  chatCalls(
    "tool-index/null-index",
    [calls(fragment(null, "call_a", "read_file", '{"path":')), calls(fragment(null, null, null, '"a.txt"}'))],
    [{ ...A, id: "call_a" }],
  ),
  chatCalls(
    "tool-index/drifts-with-empty-ids-and-names",
    [
      calls(fragment(0, "call_a", "read_file", "")),
      calls(fragment(1, "", "", '{"path":"a')),
      calls(fragment(2, "", "", '.txt"}')),
    ],
    [{ ...A, id: "call_a" }],
  ),
  chatCalls(
    "tool-index/second-starts-at-ten",
    [
      calls(fragment(7, "call_a", "read_file", ARGS_A)),
      calls(fragment(10, "call_b", "read_file", '{"path":')),
      calls(fragment(10, undefined, undefined, '"b.txt"}')),
    ],
    [
      { ...A, id: "call_a" },
      { ...B, id: "call_b" },
    ],
  ),
  chatCalls(
    "tool-index/no-ids-own-indexes",
    [
      calls(fragment(1, undefined, "read_file", "")),
      calls(fragment(1, undefined, undefined, ARGS_A)),
      calls(fragment(2, undefined, "read_file", "")),
      calls(fragment(2, undefined, undefined, ARGS_B)),
    ],
    [A, B],
  ),
  chat(
    "tool-index/calls-behind-the-finish",
    [
      chunk({ role: "assistant" }, "tool_calls"),
      calls(fragment(0, "call_a", "read_file", '{"path":')),
      calls(fragment(0, undefined, undefined, '"a.txt"}')),
      DONE,
    ],
    { text: "", finish: "tool_calls", toolCalls: [A] },
  ),
];

const identities: DialectCase[] = [
  chatCalls(
    "tool-identity/ids-with-points-and-colons",
    [
      calls(fragment(0, "functions.read_file:0", "read_file", ARGS_A)),
      calls(fragment(1, "functions.read_file:1", "read_file", ARGS_B)),
    ],
    [
      { ...A, id: "functions.read_file:0" },
      { ...B, id: "functions.read_file:1" },
    ],
  ),
  chatCalls(
    "tool-identity/empty-ids-for-both",
    [calls(fragment(0, "", "read_file", ARGS_A)), calls(fragment(1, "", "grep", '{"pattern":"x"}'))],
    [A, wanted("grep", { pattern: "x" })],
  ),
  chatCalls("tool-identity/number-as-id", [calls(fragment(0, 0, "read_file", ARGS_A))], [A]),
  chatCalls(
    "tool-identity/a-new-id-in-every-piece",
    [
      calls(fragment(0, "id-1", "read_file", '{"path":')),
      calls(fragment(0, "id-2", null, '"a.')),
      calls(fragment(0, "id-3", null, 'txt"}')),
    ],
    [{ ...A, id: "id-1" }],
  ),
  chatCalls(
    "tool-identity/id-and-name-in-every-piece",
    [
      calls(fragment(0, "call_a", "read_file", '{"path":')),
      calls(fragment(0, "call_a", "read_file", '"a.txt"')),
      calls(fragment(0, "call_a", "read_file", "}")),
    ],
    [{ ...A, id: "call_a" }],
  ),
  chatCalls(
    "tool-identity/name-grows",
    [
      calls(fragment(0, "call_a", "git")),
      calls(fragment(0, undefined, "git_st")),
      calls(fragment(0, undefined, "git_status", "{}")),
    ],
    [wanted("git_status", {}, "call_a")],
  ),
  chatCalls(
    "tool-identity/name-in-three-pieces",
    [
      calls(fragment(0, "call_a", "ru")),
      calls(fragment(0, undefined, "n_s")),
      calls(fragment(0, undefined, "hell", '{"command":"ls"}')),
    ],
    [wanted("run_shell", { command: "ls" }, "call_a")],
  ),
  chatCalls(
    "tool-identity/name-before-id",
    [calls(fragment(0, undefined, "read_file")), calls(fragment(0, "call_a", undefined, ARGS_A))],
    [{ ...A, id: "call_a" }],
  ),
  chatCalls(
    "tool-identity/one-id-for-two-tools",
    [calls(fragment(0, "call_1", "read_file", ARGS_A)), calls(fragment(1, "call_1", "grep", '{"pattern":"x"}'))],
    [A, wanted("grep", { pattern: "x" })],
  ),
  chatCalls(
    "tool-identity/no-type-null-everything-else",
    [
      calls({ index: 0, id: "call_a", type: null, function: { name: "read_file", arguments: null } }),
      calls({ index: 0, id: null, type: null, function: { name: null, arguments: ARGS_A } }),
      calls({ index: 0, id: null, function: null }),
    ],
    [{ ...A, id: "call_a" }],
  ),
];

const args: DialectCase[] = [
  chatCalls(
    "tool-arguments/each-piece-repeats-the-whole",
    [
      calls(fragment(0, "call_a", "read_file", '{"pa')),
      calls(fragment(0, undefined, undefined, '{"path":"a.')),
      calls(fragment(0, undefined, undefined, ARGS_A)),
    ],
    [A],
  ),
  chatCalls(
    "tool-arguments/whole-again-under-the-id",
    [
      calls(fragment(0, "call_a", "read_file", '{"path":')),
      calls(fragment(0, undefined, undefined, '"a.txt"}')),
      calls(fragment(0, "call_a", "read_file", ARGS_A)),
    ],
    [A],
  ),
  chatCalls(
    "tool-arguments/whole-again-in-other-spacing",
    [calls(fragment(0, "call_a", "read_file", ARGS_A)), calls(fragment(0, "call_a", "read_file", '{"path": "a.txt"}'))],
    [A],
  ),
  chatCalls(
    "tool-arguments/placeholder-then-pieces",
    [
      calls(fragment(0, "call_a", "read_file", "{}")),
      calls(fragment(0, undefined, undefined, '{"path":')),
      calls(fragment(0, undefined, undefined, '"a.txt"}')),
    ],
    [A],
  ),
  chatCalls(
    "tool-arguments/placeholder-object",
    [calls(fragment(0, "call_a", "read_file", {})), calls(fragment(0, undefined, undefined, ARGS_A))],
    [A],
  ),
  chatCalls("tool-arguments/two-objects-glued", [calls(fragment(0, "call_a", "read_file", ARGS_A + ARGS_B))], [A, B]),
  chatCalls(
    "tool-arguments/two-objects-glued-in-pieces",
    [
      calls(fragment(0, "call_a", "read_file", '{"path":"a')),
      calls(fragment(0, undefined, undefined, '.txt"}{"path"')),
      calls(fragment(0, undefined, undefined, ':"b.txt"}')),
    ],
    [A, B],
  ),
  chatCalls(
    "tool-arguments/the-word-null",
    [calls(fragment(0, "call_a", "git_status", "null"))],
    [wanted("git_status", {})],
  ),
  chatCalls(
    "tool-arguments/white-space-alone",
    [calls(fragment(0, "call_a", "git_status", " \n"))],
    [wanted("git_status", {})],
  ),
  chatCalls(
    "tool-arguments/space-behind-the-whole",
    [
      calls(fragment(0, "call_a", "read_file", ARGS_A)),
      calls(fragment(0, undefined, undefined, "\n")),
      calls(fragment(0, undefined, undefined, " ")),
    ],
    [A],
  ),
  chatCalls(
    "tool-arguments/objects-for-both",
    [
      calls(
        fragment(0, "call_a", "read_file", { path: "a.txt" }),
        fragment(1, "call_b", "read_file", { path: "b.txt" }),
      ),
    ],
    [A, B],
  ),
  chatCalls(
    "tool-arguments/none-given",
    [calls({ index: 0, id: "call_a", function: { name: "git_status" } })],
    [wanted("git_status", {})],
  ),
  chatCalls(
    "tool-arguments/the-form-before-tool-calls",
    [
      chunk({ function_call: { name: "read_file", arguments: "" } }),
      chunk({ function_call: { arguments: '{"path":' } }),
      chunk({ function_call: { arguments: '"a.txt"}' } }),
    ],
    [A],
    "function_call",
  ),
  chatCalls(
    "tool-arguments/the-last-chunk-twice",
    [
      calls(fragment(0, "call_a", "read_file", ARGS_A)),
      chunk({ tool_calls: [fragment(0, "call_a", "read_file", ARGS_A)] }, "tool_calls"),
    ],
    [A],
  ),
  chat(
    "tool-arguments/whole-message-at-the-end",
    [
      calls(fragment(0, "call_a", "read_file", '{"path":"a')),
      {
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              tool_calls: [fragment(undefined, "call_a", "read_file", ARGS_A)],
            },
            finish_reason: "tool_calls",
          },
        ],
      },
      DONE,
    ],
    { text: "", finish: "tool_calls", toolCalls: [{ ...A, id: "call_a" }] },
  ),
  chat(
    "tool-arguments/a-list-that-is-an-object",
    [chunk({ tool_calls: fragment(0, "call_a", "read_file", ARGS_A) }), chunk({}, "tool_calls"), DONE],
    { text: "", finish: "tool_calls", toolCalls: [A] },
  ),
];

export const callCases = [...indexes, ...identities, ...args];
