/** Arguments as models get them wrong, down to the file: what is meant beyond doubt is done, all else changes nothing. */

import { describeRows, type Outcome, type Row } from "./rows";

function sent(kind: string, args: string, outcome: Outcome = { f: "b\n" }, tool = "replace_in_file"): Row {
  return { kind, tool, files: { f: "a\n", g: "a\n" }, args, outcome };
}

const pair = '"old_string":"a","new_string":"b"';

describeRows("the shape of edits", [
  sent("a list as text", `{"path":"f","edits":"[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b\\"}]"}`),
  sent(
    "a list as text in a fence",
    `{"path":"f","edits":"\`\`\`json\\n[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b\\"}]\\n\`\`\`"}`,
  ),
  sent("a list as text, cut off", `{"path":"f","edits":"[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b\\"}"}`, [
    /edits\[0\] must be an object/,
  ]),
  sent("a list as text, cut off in a text", `{"path":"f","edits":"[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b"}`, [
    /edits\[0\] must be an object/,
  ]),
  sent("an object", `{"path":"f","edits":{${pair}}}`),
  sent("an object of numbered edits", `{"path":"f","edits":{"0":{${pair}}}}`, [/edits\[0\]\.old_string is required/]),
  sent("a list of pairs", '{"path":"f","edits":[["a","b"]]}', [/edits\[0\] must be an object/]),
  sent("search and replace", '{"path":"f","edits":[{"search":"a","replace":"b"}]}'),
  sent("find and replace", '{"path":"f","edits":[{"find":"a","replace":"b"}]}'),
  sent("old and new", '{"path":"f","old":"a","new":"b"}'),
  sent("an empty list beside a pair", `{"path":"f",${pair},"edits":[]}`),
  sent("an empty list as text beside a pair", `{"path":"f",${pair},"edits":"[]"}`),
  sent("null beside a pair", `{"path":"f",${pair},"edits":null}`),
  sent("an empty pair beside a list", `{"path":"f","old_string":"","new_string":"","edits":[{${pair}}]}`),
  sent("the same pair in both", `{"path":"f",${pair},"edits":[{${pair}}]}`),
  sent(
    "a pair and a list that cannot both be made",
    `{"path":"f",${pair},"edits":[{"old_string":"x","new_string":"y"}]}`,
    [/Edit 2 of 2/, /nothing was written/],
  ),
  sent("a pair, then a list on its result", `{"path":"f",${pair},"edits":[{"old_string":"b","new_string":"c"}]}`, {
    f: "c\n",
  }),
  sent("another file in an item", `{"path":"f","edits":[{"path":"g",${pair}}]}`, [
    /edits\[0\]\.path/,
    /call of its own/,
  ]),
  sent("the path in the item alone", `{"edits":[{"path":"f",${pair}}]}`, [/path is required/]),
  sent("lists of texts as a pair", '{"path":"f","old_string":["a"],"new_string":["b"]}', [
    /old_string must be a string/,
  ]),
  sent("numbers as a pair", '{"path":"f","old_string":1,"new_string":2}', [/not found/]),
  sent("no new text", '{"path":"f","old_string":"a"}', [/new_string is required/, /empty new_string/]),
  sent("null as new text", '{"path":"f","old_string":"a","new_string":null}', [/new_string is required/]),
  sent("nothing but the path", '{"path":"f"}', [/old_string is required/]),
  sent("replace_all as a word", `{"path":"f",${pair},"replace_all":"yes"}`),
  sent("replace_all as no word", `{"path":"f",${pair},"replace_all":"maybe"}`, [/replace_all must be a boolean/]),
]);

describeRows("the text of JSON", [
  sent("a fence", `\`\`\`json\n{"path":"f",${pair}}\n\`\`\``),
  sent("a fence that is not closed", `\`\`\`\n{"path":"f",${pair}}`),
  sent("a trailing comma", `{"path":"f",${pair},}`),
  sent("two trailing commas", `{"path":"f",${pair},,}`, [/not valid JSON/]),
  sent("a line break in a string", '{"path":"f","old_string":"a","new_string":"b\nc"}', { f: "b\nc\n" }),
  sent("a tab in a string", '{"path":"f","old_string":"a","new_string":"\tb"}', { f: "\tb\n" }),
  sent("encoded twice", JSON.stringify(`{"path":"f",${pair}}`)),
  sent("a brace too many", `{"path":"f",${pair}}}`),
  sent("words behind it", `{"path":"f",${pair}} // done`),
  sent("words in front of it", `Sure: {"path":"f",${pair}}`, [/not valid JSON/]),
  sent("two objects", `{"path":"f",${pair}}{"path":"g",${pair}}`, [/several JSON objects/]),
  sent("an empty object first", `{}{"path":"f",${pair}}`, [/several JSON objects/]),
  sent("Python's quotes", "{'path':'f','old_string':'a','new_string':'b'}", [/not valid JSON/]),
  sent("Python's words", `{"path":"f",${pair},"replace_all":True,"edits":None}`),
  sent("Python's words in a text", '{"path":"f","old_string":"a","new_string":"True",}', { f: "True\n" }),
  sent("names without quotes", '{path:"f",old_string:"a",new_string:"b"}', [/not valid JSON/]),
  sent("a missing comma", `{"path":"f" ${pair}}`, [/not valid JSON/]),
  sent("quotes in a text that are not escaped", '{"path":"f","old_string":"a","new_string":"say "b""}', [
    /not valid JSON/,
  ]),
  sent("an escape that there is not", '{"path":"f","old_string":"a","new_string":"\\d"}', [
    /not valid JSON/,
    /backslash/,
  ]),
  sent("an escaped apostrophe", `{"path":"f","old_string":"a","new_string":"it\\'s"}`, { f: "it's\n" }),
  sent("a character code cut short", '{"path":"f","old_string":"a","new_string":"\\u00"}', [/not valid JSON/]),
  sent("a control character", '{"path":"f","old_string":"a","new_string":"\u0001"}', [/not valid JSON/]),
  sent("a byte order mark in front", `\uFEFF{"path":"f",${pair}}`),
  sent("one level too deep", `{"arguments":{"path":"f",${pair}}}`),
  sent("a whole call", `{"name":"replace_in_file","arguments":{"path":"f",${pair}}}`),
  sent("a list of one", `[{"path":"f",${pair}}]`),
  sent("a list of two", `[{"path":"f",${pair}},{"path":"g",${pair}}]`, [/one JSON object/]),
  sent("names in another case", '{"PATH":"f","OldString":"a","NewString":"b"}'),
  sent("NUL in the path", `{"path":"f\\u0000",${pair}}`, [/NUL/]),
  sent("nothing", "", [/path is required/]),
]);

const whole = `{"path":"f","edits":[{${pair}}],"replace_all":true}`;
describeRows(
  "cut off",
  [1, 9, 10, 20, 30, 40, 50, 60, 61, 62, whole.length - 1].map((length) =>
    sent(`behind character ${length}`, whole.slice(0, length), [/cut off/, /Nothing was done/]),
  ),
);

const patch = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch";

describeRows("other tools", [
  sent("a file without content", '{"path":"f"}', [/content is required/], "write_file"),
  sent("content under another name", '{"path":"f","file_text":"b\\n"}', { f: "b\n" }, "write_file"),
  sent("content as a list of texts", '{"path":"f","content":["x","y"]}', [/content must be a string/], "write_file"),
  sent("content cut off", '{"path":"f","content":"b', [/cut off/], "write_file"),
  sent("content cut off behind a backslash", '{"path":"f","content":"b\\', [/cut off/], "write_file"),
  sent("a JSON value that is cut off", '{"path":"f","content":{"a":1}', [/cut off/], "write_file"),
  sent("a patch as a list of lines", JSON.stringify({ patch: patch.split("\n") }), { f: "b\n" }, "apply_patch"),
  sent("a patch as a command", JSON.stringify({ patch: ["apply_patch", patch] }), { f: "b\n" }, "apply_patch"),
  sent("a patch without JSON", patch, { f: "b\n" }, "apply_patch"),
  sent("a patch without JSON, cut off", patch.slice(0, -14), [/End Patch/], "apply_patch"),
  sent("a patch under the name diff", JSON.stringify({ diff: patch }), { f: "b\n" }, "apply_patch"),
  sent("a patch one level too deep", JSON.stringify({ input: { patch } }), { f: "b\n" }, "apply_patch"),
  sent("a patch for the other tool", JSON.stringify({ diff: patch }), [/apply_patch/], "apply_unified_diff"),
  sent(
    "a diff for the other tool",
    JSON.stringify({ patch: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" }),
    [/apply_unified_diff/],
    "apply_patch",
  ),
  sent("a diff without hunks", '{"diff":"-a\\n+b","path":"f"}', [/@@ hunk/], "apply_unified_diff"),
]);
