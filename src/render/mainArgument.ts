/** The one argument of a call that tells a person what it is about. */

/** Names under which tools keep it, the most telling first. */
const telling = [
  "command",
  "pattern",
  "query",
  "path",
  "file_path",
  "file",
  "url",
  "question",
  "task",
  "reason",
  "task_id",
  "ref",
];

/** One line: the telling argument, else the files a patch touches, else the first short text among the arguments. */
export function mainArgument(args: Record<string, unknown>): string {
  const named = telling.map((name) => args[name]).find(isText);
  if (named !== undefined) return withPath(oneLine(named), args);
  const texts = Object.values(args).filter(isText);
  const files = texts.flatMap(filesOfPatch);
  if (files.length > 0) return [...new Set(files)].join(", ");
  return oneLine(texts[0] ?? "");
}

function withPath(text: string, args: Record<string, unknown>): string {
  const path = args["path"];
  return isText(path) && args["pattern"] === text ? `${text} in ${path}` : text;
}

function oneLine(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length > 0 ? `${first} … (+${more.length})` : first;
}

/** Both patch forms name their files at line starts. */
function filesOfPatch(text: string): string[] {
  const matches = text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(\S.*)$/gm);
  return [...matches].map((match) => (match[1] ?? "").trim()).filter((file) => file !== "/dev/null");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
