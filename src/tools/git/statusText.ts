/** Turns `git status --porcelain=v2 --branch -z` into the few lines that a model needs. */

const MOST_PATHS = 200;

interface Status {
  oid: string;
  branch: string;
  upstream: string;
  ahead: number;
  behind: number;
  staged: string[];
  changed: string[];
  untracked: string[];
  conflicted: string[];
}

/** `prefix`: the workspace's place in the repository (`pkg/` or empty); it is taken off the paths. */
export function statusText(porcelain: string, prefix: string): string {
  const status = parseStatus(porcelain, prefix);
  const groups = (["staged", "changed", "conflicted", "untracked"] as const).map((name) => ({
    name,
    of: status[name],
  }));
  const lines = [branchLine(status)];
  let room = MOST_PATHS;
  for (const group of groups) {
    if (group.of.length === 0) continue;
    const shown = group.of.slice(0, room);
    room -= shown.length;
    lines.push(`${group.name}:`, ...shown.map((line) => `  ${line}`));
    if (shown.length < group.of.length) lines.push(`  [${group.of.length - shown.length} more]`);
  }
  if (lines.length === 1) lines.push("No changes.");
  return lines.join("\n");
}

function parseStatus(porcelain: string, prefix: string): Status {
  const status: Status = {
    oid: "",
    branch: "",
    upstream: "",
    ahead: 0,
    behind: 0,
    staged: [],
    changed: [],
    untracked: [],
    conflicted: [],
  };
  const own = (path: string) => (JSON_NEEDED.test(path) ? JSON.stringify(strip(path, prefix)) : strip(path, prefix));
  const records = porcelain.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? "";
    const kind = record[0];
    if (kind === "#") readHeader(status, record);
    else if (kind === "?") status.untracked.push(own(record.slice(2)));
    else if (kind === "u") status.conflicted.push(`${record.slice(2, 4)} ${own(fieldsAfter(record, 10))}`);
    else if (kind === "1") addChange(status, record.slice(2, 4), own(fieldsAfter(record, 8)));
    // A rename's old path is a record of its own.
    else if (kind === "2") {
      const from = own(records[++at] ?? "");
      addChange(status, record.slice(2, 4), `${from} -> ${own(fieldsAfter(record, 9))}`);
    }
  }
  return status;
}

/** A name with control characters would break the list. */
const JSON_NEEDED = /[\x00-\x1f\x7f]/;

function readHeader(status: Status, record: string): void {
  const [, name, ...values] = record.split(" ");
  const value = values.join(" ");
  if (name === "branch.oid") status.oid = value;
  if (name === "branch.head") status.branch = value;
  if (name === "branch.upstream") status.upstream = value;
  if (name === "branch.ab") {
    status.ahead = Number(values[0]);
    status.behind = -Number(values[1]);
  }
}

/** Two letters: the index against HEAD, the files against the index; `.` is unchanged. */
function addChange(status: Status, letters: string, path: string): void {
  const [index, tree] = letters;
  if (index !== ".") status.staged.push(`${index} ${path}`);
  if (tree !== ".") status.changed.push(`${tree} ${path}`);
}

/** What follows the first `count` blanks: the path may hold blanks itself. */
function fieldsAfter(record: string, count: number): string {
  let at = 0;
  for (let n = 0; n < count; n++) at = record.indexOf(" ", at) + 1;
  return record.slice(at);
}

function strip(path: string, prefix: string): string {
  if (path === prefix) return "./";
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function branchLine(status: Status): string {
  const unborn = status.oid === "(initial)" ? ", no commits yet" : "";
  const head =
    status.branch === "(detached)" ? `HEAD detached at ${status.oid.slice(0, 8)}` : `branch ${status.branch}${unborn}`;
  if (status.upstream === "") return head;
  const apart = [status.ahead > 0 && `ahead ${status.ahead}`, status.behind > 0 && `behind ${status.behind}`];
  const words = apart.filter(Boolean).join(", ");
  return words ? `${head}, ${words} of ${status.upstream}` : `${head}, up to date with ${status.upstream}`;
}
