/** Finds and ends all that a command started: its process group, and on Linux whatever carries its marker. */

import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks a call's processes, so that one that left the group by `setsid` is still found. */
export const MARKER = "ZQAGENT_CALL";

export interface ProcessTree {
  /** The id of the first process, which leads the group. */
  pid: number;
  /** The value of the marker variable in its environment. */
  marker?: string;
}

const GRACE_MS = 2000;
const POLL_MS = 25;
const KILL_ROUNDS = 40;

/**
 * Ends a tree: asks (SIGTERM), and after `graceMs` forces (SIGKILL). Resolves when nothing of it is left, or nothing
 * more can be done. Never rejects. `exited` settles with the first process: the next look then need not wait for its time.
 */
export async function stopTree(tree: ProcessTree, exited?: Promise<unknown>, graceMs = GRACE_MS): Promise<void> {
  if (process.platform === "win32") return taskkill(tree.pid);
  const asked = new Set<number>();
  const deadline = Date.now() + graceMs;
  if (!ask(tree, asked)) return;
  await Promise.race([pause(POLL_MS), ...(exited ? [exited] : [])]);
  let isAlive = ask(tree, asked);
  for (; isAlive && Date.now() < deadline; isAlive = ask(tree, asked)) await pause(POLL_MS);
  // More than one round: a process may fork between the look and the blow.
  for (let round = 0; isAlive && round < KILL_ROUNDS; round++) {
    isAlive = kill(tree);
    if (isAlive) await pause(POLL_MS);
  }
}

/** Ends a tree at once and without waiting: for the moment in which our own process exits. */
export function killTreeNow(tree: ProcessTree): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/PID", String(tree.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  // A second look finds what was being forked during the first; it takes milliseconds.
  for (let round = 0; round < KILL_ROUNDS && kill(tree); round++);
}

/** True while a process of the tree runs (ones that ended and wait to be reaped do not count, where we can tell). */
export function isTreeAlive(tree: ProcessTree): boolean {
  return livingOf(tree).length > 0;
}

/**
 * SIGTERM, once for everyone: on Linux also for one that was being forked or was leaving the group at an earlier look.
 * Not for bwrap: it would end at once and take the command along before that could tidy up. It ends with the command.
 * False when nothing was left: a look at all processes costs milliseconds, so each round takes one.
 */
function ask(tree: ProcessTree, asked: Set<number>): boolean {
  const living = livingOf(tree);
  for (const { pid, name } of living) {
    if (name !== "bwrap" && !asked.has(pid)) send(pid, "SIGTERM");
    asked.add(pid);
  }
  return living.length > 0;
}

/** SIGKILL for everyone; false when nothing was left. */
function kill(tree: ProcessTree): boolean {
  const living = livingOf(tree);
  // The group id may have gone to a stranger: the group is only signalled while one of ours is in it.
  if (living.some(({ group }) => group === tree.pid)) send(-tree.pid, "SIGKILL");
  // Each by its own id as well: one may be leaving the group this moment.
  for (const { pid } of living) send(pid, "SIGKILL");
  return living.length > 0;
}

interface Member {
  pid: number;
  group: number;
  name: string;
}

/** What runs of the tree; where processes cannot be listed, the group stands for all. */
function livingOf(tree: ProcessTree): Member[] {
  if (process.platform === "linux") return membersOf(tree);
  return canSignal(-tree.pid) ? [{ pid: -tree.pid, group: tree.pid, name: "" }] : [];
}

function membersOf(tree: ProcessTree): Member[] {
  const members: Member[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const state = stateOf(pid);
    if (!state || state.ended) continue;
    const ours = state.group === tree.pid ? isOurs(pid, tree) : tree.marker !== undefined && isMarked(pid, tree.marker);
    if (ours) members.push({ pid, group: state.group, name: state.name });
  }
  return members;
}

/** In the group: ours unless it visibly carries another call's marker. Its environment may be closed to us. */
function isOurs(pid: number, tree: ProcessTree): boolean {
  if (tree.marker === undefined || pid === tree.pid) return true;
  const environment = environmentOf(pid);
  return environment === null || !environment.includes(`${MARKER}=`) || environment.includes(entry(tree.marker));
}

function isMarked(pid: number, marker: string): boolean {
  return environmentOf(pid)?.includes(entry(marker)) ?? false;
}

function entry(marker: string): string {
  return `${MARKER}=${marker}\0`;
}

function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return null;
  }
}

function stateOf(pid: number): { name: string; group: number; ended: boolean } | null {
  try {
    // `pid (name) state ppid group …`; the name may hold blanks and brackets.
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = text.lastIndexOf(")");
    const [state, , group] = text.slice(nameEnd + 2).split(" ");
    const name = text.slice(text.indexOf("(") + 1, nameEnd);
    return { name, group: Number(group), ended: state === "Z" || state === "X" };
  } catch {
    return null;
  }
}

function canSignal(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch {
    return false;
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or somebody else's.
  }
}

function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("taskkill", ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    child.on("error", () => resolve());
    child.on("exit", () => resolve());
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
