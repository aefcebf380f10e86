/** Tool names as models get them wrong: other spelling (`ReadFile`) or the name that another program gives the tool. */

/** Names by which other programs know our tools, in canonical form. */
const KNOWN_AS: Record<string, string> = {
  bash: "run_shell",
  shell: "run_shell",
  exec: "run_shell",
  runcommand: "run_shell",
  executecommand: "run_shell",
  runterminalcmd: "run_shell",
  edit: "replace_in_file",
  editfile: "replace_in_file",
  strreplace: "replace_in_file",
  searchreplace: "replace_in_file",
  replace: "replace_in_file",
  write: "write_file",
  createfile: "write_file",
  writetofile: "write_file",
  read: "read_file",
  view: "read_file",
  cat: "read_file",
  ls: "list_files",
  glob: "list_files",
  listdir: "list_files",
  listdirectory: "list_files",
  search: "grep",
  grepsearch: "grep",
  ripgrep: "grep",
  patch: "apply_patch",
  todo: "todo_write",
  fetch: "web_fetch",
  webfetch: "web_fetch",
  askuserquestion: "ask_user",
};

/** The one name of `available` that `name` means, or undefined. */
export function resolveToolName(name: string, available: readonly string[]): string | undefined {
  if (available.includes(name)) return name;
  const wanted = canonical(name);
  const hits = available.filter((candidate) => canonical(candidate) === wanted);
  if (hits.length > 0) return hits.length === 1 ? hits[0] : undefined;
  const known = Object.hasOwn(KNOWN_AS, wanted) ? KNOWN_AS[wanted] : undefined;
  return known !== undefined && available.includes(known) ? known : undefined;
}

/** What the model is told about a name that no tool has. */
export function unknownToolSentence(name: string, available: readonly string[]): string {
  return `Unknown tool "${name.slice(0, 80)}". Available: ${available.join(", ")}`;
}

function canonical(name: string): string {
  // Some models put a name space in front, as if tools were functions of a module.
  const bare = name.trim().replace(/^(functions|tools|default_api)[.:]/i, "");
  return bare.toLowerCase().replace(/[_.-]/g, "");
}
