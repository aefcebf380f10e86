/** The prompts of the past: a file that several processes append to, walking through it, and searching it. */

import { appendFile, chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../shared/errors";

/** Prompts kept of one folder, and of all folders together. */
const KEPT_OF_FOLDER = 1000;
const KEPT_OF_ALL = 5000;
/** The file may outgrow its limit by this many lines before it is written anew. */
const SLACK = 200;
/** A longer prompt (a huge paste) is not worth its place. */
const MAX_TEXT = 100_000;

interface Entry {
  folder: string;
  text: string;
}

export interface History {
  /** The folder's prompts, oldest first, without neighbours that are the same. */
  readonly entries: readonly string[];
  /** Remembers a prompt. Never throws: a full or read-only disk must not cost the prompt. */
  add(text: string): Promise<void>;
}

/** Reads `<home>/history.jsonl`; lines that cannot be read (torn by a crash) are skipped. Never throws. */
export async function openHistory(home: string, folder: string): Promise<History> {
  const file = join(home, "history.jsonl");
  const entries = withoutRepeats((await readEntries(file)).filter((entry) => entry.folder === folder));
  return {
    entries,
    async add(text) {
      if (text.trim() === "" || text === entries.at(-1)) return;
      entries.push(text);
      if (text.length <= MAX_TEXT) await append(file, { folder, text }).catch(() => undefined);
    },
  };
}

function withoutRepeats(entries: Entry[]): string[] {
  const texts: string[] = [];
  for (const { text } of entries.slice(-KEPT_OF_FOLDER)) if (text !== texts.at(-1)) texts.push(text);
  return texts;
}

async function readEntries(file: string): Promise<Entry[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => parseEntry(line) ?? []);
}

function parseEntry(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("folder" in value) || !("text" in value)) return null;
    return typeof value.folder === "string" && typeof value.text === "string"
      ? { folder: value.folder, text: value.text }
      : null;
  } catch {
    return null;
  }
}

/** Appends under a lock, because now and then the file is also written anew. */
async function append(file: string, entry: Entry): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, async () => {
    // A crash may have torn the last line: ours must not be glued to it.
    const start = (await endsWithLineEnd(file)) ? "" : "\n";
    await appendFile(file, `${start}${JSON.stringify(entry)}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
    await trim(file);
  });
}

async function endsWithLineEnd(file: string): Promise<boolean> {
  const handle = await open(file, "r").catch(() => null);
  if (!handle) return true;
  try {
    const { size } = await handle.stat();
    if (size === 0) return true;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await handle.close();
  }
}

/** Writes the file anew when it has grown well beyond what is kept. Needs the lock. */
async function trim(file: string): Promise<void> {
  const entries = await readEntries(file);
  const kept = newest(entries);
  if (entries.length <= kept.length + SLACK) return;
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
  await rename(temporary, file);
}

function newest(entries: Entry[]): Entry[] {
  const counts = new Map<string, number>();
  const kept = entries
    .slice(-KEPT_OF_ALL)
    .reverse()
    .filter(({ folder }) => {
      const count = (counts.get(folder) ?? 0) + 1;
      counts.set(folder, count);
      return count <= KEPT_OF_FOLDER;
    });
  return kept.reverse();
}

const LOCK_STALE_MS = 3000;
const LOCK_STEP_MS = 20;
const LOCK_TRIES = 200;

/** Gives up after a while: a prompt that is not remembered is no reason to wait. */
async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  for (let tries = 0; !(await takeLock(lock)); tries++) {
    if (tries >= LOCK_TRIES) return;
    await sleep(LOCK_STEP_MS);
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** A lock that is older than any append can last was left by a process that died. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const age = await stat(lock).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > LOCK_STALE_MS) await rm(lock, { force: true });
    return false;
  }
}
