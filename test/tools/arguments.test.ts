import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/shared/contracts";
import { isCutOff, parseToolArguments } from "../../src/tools/arguments";

const text = { type: "string" };
const READ: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["path"],
  properties: { path: text, offset: { type: "integer" }, limit: { type: "integer", minimum: 1, maximum: 2000 } },
};
const GREP: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["pattern"],
  properties: {
    pattern: text,
    mode: { type: "string", enum: ["content", "files", "count"] },
    literal: { type: "boolean" },
    include_ignored: { type: "boolean" },
  },
};
const EDIT: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["path"],
  properties: {
    path: text,
    old_string: text,
    new_string: text,
    replace_all: { type: "boolean" },
    edits: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["old_string", "new_string"],
        properties: { old_string: text, new_string: text },
      },
    },
  },
};
const SHELL: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["command"],
  properties: {
    command: text,
    cwd: text,
    timeout_ms: { type: "integer", minimum: 1000, maximum: 600_000 },
    background: { type: "boolean" },
  },
};
const TODO: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["todos"],
  properties: {
    todos: {
      type: "array",
      items: { type: "object", required: ["content", "status"], properties: { content: text, status: text } },
    },
  },
};
const ASK: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["question"],
  properties: { question: text, options: { type: "array", items: text, maxItems: 6 }, allow_text: { type: "boolean" } },
};
const WRITE: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["path", "content"],
  properties: { path: text, content: text },
};
const PATCH: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["patch"],
  properties: { patch: text },
};
const DIFF: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["diff"],
  properties: { diff: text, path: text },
};
const FOREIGN: JsonSchema = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: true };
const UNDESCRIBED: JsonSchema = { type: "object", properties: {} };

describe("mended", () => {
  test.each<[string, string, JsonSchema, unknown, Record<string, unknown>]>([
    ["an empty text", "git_status", { type: "object", properties: {} }, "", {}],
    ["plain JSON", "read_file", READ, '{"path":"a"}', { path: "a" }],
    ["an object that is parsed already", "read_file", READ, { path: "a" }, { path: "a" }],
    ["a fence", "read_file", READ, '```json\n{"path":"a"}\n```', { path: "a" }],
    ["trailing commas", "read_file", READ, '{"path":"a", "limit": 3,\n}', { path: "a", limit: 3 }],
    [
      "raw line breaks and tabs in a string",
      "write_file",
      WRITE,
      '{"path":"a","content":"x\n\ty"}',
      { path: "a", content: "x\n\ty" },
    ],
    [
      "a comma before a brace in a string",
      "write_file",
      WRITE,
      '{"path":"a","content":"[1,]\n",}',
      { path: "a", content: "[1,]\n" },
    ],
    ["text behind the object", "read_file", READ, '{"path":"a"}\nI will read it.', { path: "a" }],
    ["encoded twice", "read_file", READ, JSON.stringify('{"path":"a"}'), { path: "a" }],
    ["an alias", "read_file", READ, '{"file_path":"a"}', { path: "a" }],
    ["an alias beside the proper name", "read_file", READ, '{"filename":"b","path":"a"}', { path: "a" }],
    [
      "aliases of an edit",
      "replace_in_file",
      EDIT,
      '{"filePath":"a","oldString":"x","newText":"y","allow_multiple":"true"}',
      { path: "a", old_string: "x", new_string: "y", replace_all: true },
    ],
    [
      "aliases inside a list",
      "replace_in_file",
      EDIT,
      '{"path":"a","edits":[{"old_str":"x","replace":"y"}]}',
      { path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    ],
    ["seconds", "run_shell", SHELL, '{"cmd":"ls","timeout":30}', { command: "ls", timeout_ms: 30_000 }],
    [
      "milliseconds under the other name",
      "run_shell",
      SHELL,
      '{"cmd":"ls","timeout":5000}',
      { command: "ls", timeout_ms: 5000 },
    ],
    [
      "aliases of the shell",
      "run_shell",
      SHELL,
      '{"script":"ls","workdir":"src","run_in_background":true}',
      { command: "ls", cwd: "src", background: true },
    ],
    ["a patch under another name", "apply_patch", PATCH, '{"input":"p"}', { patch: "p" }],
    ["a patch where a diff is due", "apply_unified_diff", DIFF, '{"patch":"p"}', { diff: "p" }],
    ["a query for grep", "grep", GREP, '{"query":"x"}', { pattern: "x" }],
    [
      "another spelling",
      "grep",
      GREP,
      '{"pattern":"x","includeIgnored":true}',
      { pattern: "x", include_ignored: true },
    ],
    ["null for an optional one", "read_file", READ, '{"path":"a","limit":null}', { path: "a" }],
    ["null beside an alias", "read_file", READ, '{"path":null,"file":"a"}', { path: "a" }],
    ["unknown ones", "read_file", READ, '{"path":"a","reason":"because"}', { path: "a" }],
    [
      "numbers and booleans as text",
      "read_file",
      READ,
      '{"path":"a","offset":"-50","limit":"7"}',
      { path: "a", offset: -50, limit: 7 },
    ],
    ["a number where text is due", "grep", GREP, '{"pattern":42,"literal":"TRUE"}', { pattern: "42", literal: true }],
    ["out of range", "read_file", READ, '{"path":"a","limit":99999}', { path: "a", limit: 2000 }],
    ["another case of a choice", "grep", GREP, '{"pattern":"x","mode":"Files"}', { pattern: "x", mode: "files" }],
    [
      "JSON text where a list is due",
      "replace_in_file",
      EDIT,
      { path: "a", edits: '[{"old_string":"x","new_string":"y"}]' },
      { path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    ],
    [
      "one value where a list is due",
      "replace_in_file",
      EDIT,
      { path: "a", edits: { old_string: "x", new_string: "y" } },
      { path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    ],
    [
      "one text where a list is due",
      "ask_user",
      ASK,
      { question: "q", options: "yes" },
      { question: "q", options: ["yes"] },
    ],
    [
      "options with descriptions",
      "ask_user",
      ASK,
      { question: "q", options: [{ label: "a", description: "b" }] },
      { question: "q", options: [{ label: "a", description: "b" }] },
    ],
    ["plain steps", "todo_write", TODO, { todos: ["one"] }, { todos: [{ content: "one", status: "pending" }] }],
    [
      "content as a JSON value",
      "write_file",
      WRITE,
      { path: "a.json", content: { b: 1 } },
      { path: "a.json", content: '{\n  "b": 1\n}\n' },
    ],
    ["an empty list where one with items is due", "replace_in_file", EDIT, { path: "a", edits: [] }, { path: "a" }],
    ["an empty text where a list is due", "replace_in_file", EDIT, { path: "a", edits: "" }, { path: "a" }],
    [
      "the path of the call in each item",
      "replace_in_file",
      EDIT,
      { file_path: "a", edits: [{ path: "a", old_string: "x", new_string: "y" }] },
      { path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    ],
    [
      "words of Python",
      "grep",
      GREP,
      '{"pattern":"True","literal":True,"mode":None}',
      { pattern: "True", literal: true },
    ],
    ["an escaped apostrophe", "grep", GREP, '{"pattern":"it\\\'s"}', { pattern: "it's" }],
    [
      "yes and 1 for true",
      "grep",
      GREP,
      { pattern: "x", literal: "yes", include_ignored: 1 },
      { pattern: "x", literal: true, include_ignored: true },
    ],
    ["one level too deep", "read_file", READ, '{"name":"read_file","arguments":{"path":"a"}}', { path: "a" }],
    ["a list of one object", "read_file", READ, '[{"path":"a"}]', { path: "a" }],
    ["null for no arguments", "git_status", { type: "object", properties: {} }, "null", {}],
    [
      "a list of lines for a patch",
      "apply_patch",
      PATCH,
      { patch: ["*** Begin Patch", "x"] },
      { patch: "*** Begin Patch\nx" },
    ],
    ["a bare patch", "apply_patch", PATCH, "*** Begin Patch\nx", { patch: "*** Begin Patch\nx" }],
    ["a bare diff", "apply_unified_diff", DIFF, "--- a/f\n+++ b/f\n", { diff: "--- a/f\n+++ b/f\n" }],
    [
      "an object under a name that the tool has",
      "apply_patch",
      PATCH,
      { input: "p", arguments: { patch: "q" } },
      { patch: "p" },
    ],
    ["a foreign tool's own extras", "mcp__x__y", FOREIGN, { id: "1", more: [1] }, { id: "1", more: [1] }],
    ["a tool without a description", "own", UNDESCRIBED, { anything: 1 }, { anything: 1 }],
  ])("%s", (_name, tool, schema, raw, expected) => {
    expect(parseToolArguments(tool, schema, raw)).toEqual({ args: expected });
  });
});

describe("refused, with every fault named", () => {
  test.each<[string, string, JsonSchema, unknown, string]>([
    [
      "missing",
      "grep",
      GREP,
      '{"query_text":"x"}',
      'Invalid arguments for grep: pattern is required (string). Got: {"query_text":"x"}',
    ],
    ["null for a required one", "grep", GREP, '{"pattern":null}', "pattern is required (string)"],
    ["two faults", "read_file", READ, '{"limit":"many"}', "path is required (string); limit must be an integer"],
    ["a choice", "grep", GREP, '{"pattern":"x","mode":"lines"}', "mode must be one of content, files, count"],
    [
      "inside a list",
      "replace_in_file",
      EDIT,
      { path: "a", edits: [{ old_string: "x" }] },
      "edits[0].new_string is required (string)",
    ],
    [
      "another path in an item",
      "replace_in_file",
      EDIT,
      { path: "a", edits: [{ path: "b", old_string: "x", new_string: "y" }] },
      "edits[0].path is not the path of the call",
    ],
    [
      "a list of texts where text is due",
      "write_file",
      WRITE,
      { path: "a", content: ["x", "y"] },
      "content must be a string",
    ],
    [
      "a backslash that is no escape",
      "grep",
      GREP,
      '{"pattern":"\\d"}'.replace("\\\\", "\\"),
      "a backslash in a string is written \\\\",
    ],
    [
      "too many",
      "ask_user",
      ASK,
      { question: "q", options: ["1", "2", "3", "4", "5", "6", "7"] },
      "options takes at most 6 items (got 7)",
    ],
    ["an object where text is due", "read_file", READ, { path: { a: 1 } }, "path must be a string"],
    ["two objects", "read_file", READ, '{"path":"a"}{"path":"b"}', "several JSON objects came in one call"],
    ["no object", "read_file", READ, "[1]", "one JSON object"],
    ["no JSON", "read_file", READ, "path=a", "not valid JSON"],
    ["single quotes", "read_file", READ, "{'path':'a'}", "not valid JSON"],
  ])("%s", (_name, tool, schema, raw, expected) => {
    const parsed = parseToolArguments(tool, schema, raw);
    expect("fault" in parsed && parsed.fault).toContain(expected);
    expect("cutOff" in parsed).toBe(false);
  });

  test("in 500 characters at most", () => {
    const parsed = parseToolArguments("grep", GREP, { other: "x".repeat(5000), mode: "y".repeat(900) });
    expect("fault" in parsed && parsed.fault.length).toBeLessThanOrEqual(500);
  });
});

describe("cut off", () => {
  const whole = JSON.stringify({ path: "src/a.ts", content: 'say "hi"\n{ [ x', more: [1, { a: "b" }] });

  test("every beginning of a call is told from a whole one", () => {
    for (let length = 1; length < whole.length; length++) expect(isCutOff(whole.slice(0, length))).toBe(true);
    expect(isCutOff(whole)).toBe(false);
  });

  test.each([[""], ["{}"], ['{"a":1,}'], ['{"a":1} and so on'], ["not JSON"], ['"{}"'], ["null"]])(
    "%j is not",
    (raw) => {
      expect(isCutOff(raw)).toBe(false);
    },
  );

  test("never runs, and says how to go on", () => {
    const parsed = parseToolArguments("write_file", WRITE, whole.slice(0, 40));
    expect(parsed).toMatchObject({
      cutOff: true,
      fault: expect.stringMatching(/^The call was cut off .*40 characters/),
    });
  });

  test("encoded twice", () => expect(isCutOff(JSON.stringify(whole).slice(0, 30))).toBe(true));
});

describe("laws", () => {
  test("no text makes it throw", () => {
    fc.assert(fc.property(fc.string(), (raw) => void parseToolArguments("replace_in_file", EDIT, raw)));
    fc.assert(fc.property(fc.jsonValue(), (raw) => void parseToolArguments("replace_in_file", EDIT, raw)));
  });

  test("valid arguments come through unchanged", () => {
    const valid = fc.record({ path: fc.string(), old_string: fc.string(), replace_all: fc.boolean() });
    fc.assert(
      fc.property(valid, (args) => {
        expect(parseToolArguments("replace_in_file", EDIT, JSON.stringify(args))).toEqual({ args });
      }),
    );
  });

  test("a name of the language's own is no argument", () => {
    const parsed = parseToolArguments("read_file", READ, '{"path":"a","__proto__":{"limit":1},"constructor":1}');
    expect(parsed).toEqual({ args: { path: "a" } });
  });
});
