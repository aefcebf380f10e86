/** Argument names as models get them wrong, and what each of our tools takes beyond the letter of its schema. */

/** Other names of an argument. They hold wherever a schema has the proper name and not the other one. */
const ALIASES: Record<string, string> = {
  file_path: "path",
  filePath: "path",
  filename: "path",
  file: "path",
  target_file: "path",
  absolute_path: "path",
  old_str: "old_string",
  oldString: "old_string",
  old_text: "old_string",
  oldText: "old_string",
  search: "old_string",
  new_str: "new_string",
  newString: "new_string",
  new_text: "new_string",
  newText: "new_string",
  replace: "new_string",
  replaceAll: "replace_all",
  allow_multiple: "replace_all",
  cmd: "command",
  script: "command",
  timeout: "timeout_ms",
  is_background: "background",
  run_in_background: "background",
  input: "patch",
  patch_text: "patch",
  allowText: "allow_text",
};

/** Names that mean something only for one tool. */
const ALIASES_OF_TOOL: Record<string, Record<string, string>> = {
  write_file: { contents: "content", file_text: "content", file_content: "content", text: "content" },
  replace_in_file: { old: "old_string", find: "old_string", new: "new_string" },
  apply_patch: { diff: "patch" },
  apply_unified_diff: { patch: "diff", diff_text: "diff" },
  grep: { query: "pattern" },
  run_shell: { directory: "cwd", dir_path: "cwd", workdir: "cwd" },
};

/** Text arguments that models hand over as a JSON value: the text of that value is meant. */
const JSON_AS_TEXT: Record<string, string> = { write_file: "content" };

/** Text arguments that models hand over as a list of lines. */
const LINES_AS_TEXT: Record<string, string> = { apply_patch: "patch", apply_unified_diff: "diff" };

/** Arguments whose items may be objects with a `label` beside plain text. */
const LABELLED_ITEMS: Record<string, string> = { ask_user: "options" };

/** Arrays whose items may come as plain text, and the object that is meant. */
const TEXT_ITEMS: Record<string, { list: string; item(text: string): Record<string, unknown> }> = {
  todo_write: { list: "todos", item: (content) => ({ content, status: "pending" }) },
};

/** Tools whose one argument some models send bare, without JSON around it, and how such a text begins. */
const BARE_TEXT: Record<string, { name: string; begins: RegExp }> = {
  apply_patch: { name: "patch", begins: /^\s*(?:```\w*\s*|apply_patch\s*<<[^\n]*\n)?\*\*\* Begin Patch/ },
  apply_unified_diff: { name: "diff", begins: /^\s*(?:```\w*\s*)?(?:diff --git |--- \S[^\n]*\n\+\+\+ )/ },
};

/** The arguments that a text without JSON stands for; undefined where it stands for none. */
export function argumentsFromText(tool: string, raw: unknown): Record<string, unknown> | undefined {
  const known = BARE_TEXT[tool];
  return known && typeof raw === "string" && known.begins.test(raw) ? { [known.name]: raw } : undefined;
}

const WRAPPERS = ["arguments", "parameters", "params", "args", "input", "tool_input"];

/** The object itself where a model put all arguments one level deeper, as they stand in a whole call. */
export function withoutWrapper(
  tool: string,
  given: Record<string, unknown>,
  properties: Record<string, unknown>,
): Record<string, unknown> {
  const wrapper = WRAPPERS.find((name) => !Object.hasOwn(properties, name) && isRecord(given[name]));
  const isAlone = Object.keys(given).every((name) => name === wrapper || !properName(tool, name, properties));
  const inner = wrapper === undefined ? undefined : given[wrapper];
  return isAlone && isRecord(inner) ? inner : given;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The proper name for `name` in a schema with the given properties; undefined when nothing fits. */
export function properName(tool: string, name: string, properties: Record<string, unknown>): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  const own = ALIASES_OF_TOOL[tool];
  const alias = (own && lookUp(own, name)) ?? lookUp(ALIASES, name);
  if (alias !== undefined && Object.hasOwn(properties, alias)) return alias;
  const alike = Object.keys(properties).filter((known) => plain(known) === plain(name));
  return alike.length === 1 ? alike[0] : undefined;
}

export function takesJsonAsText(tool: string, path: string): boolean {
  return JSON_AS_TEXT[tool] === path;
}

export function takesLinesAsText(tool: string, path: string): boolean {
  return LINES_AS_TEXT[tool] === path;
}

export function takesLabelledItem(tool: string, path: string, value: unknown): boolean {
  if (!path.startsWith(`${LABELLED_ITEMS[tool] ?? "\0"}[`) || typeof value !== "object" || value === null) return false;
  return "label" in value && typeof value.label === "string";
}

/** The object that a plain text stands for in this place of this tool. */
export function itemFromText(tool: string, path: string, text: string): Record<string, unknown> | undefined {
  const known = TEXT_ITEMS[tool];
  return known && path.startsWith(`${known.list}[`) ? known.item(text) : undefined;
}

function lookUp(table: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** `includeIgnored`, `include-ignored` and `include_ignored` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
