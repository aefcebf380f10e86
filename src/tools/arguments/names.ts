/** Argument names as models get them wrong, and what each of our tools takes beyond the letter of its schema. */

/** Other names of an argument. They hold wherever a schema has the proper name and not the other one. */
const ALIASES: Record<string, string> = {
  file_path: "path",
  filePath: "path",
  filename: "path",
  file: "path",
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
  apply_unified_diff: { patch: "diff", diff_text: "diff" },
  grep: { query: "pattern" },
  run_shell: { directory: "cwd", dir_path: "cwd", workdir: "cwd" },
};

/** Text arguments that models hand over as a JSON value: the text of that value is meant. */
const JSON_AS_TEXT: Record<string, string> = { write_file: "content" };

/** Arguments whose items may be objects with a `label` beside plain text. */
const LABELLED_ITEMS: Record<string, string> = { ask_user: "options" };

/** Arrays whose items may come as plain text, and the object that is meant. */
const TEXT_ITEMS: Record<string, { list: string; item(text: string): Record<string, unknown> }> = {
  todo_write: { list: "todos", item: (content) => ({ content, status: "pending" }) },
};

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
