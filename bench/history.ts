/** What one more turn of a long session writes to disk, against the same turn of a session that has just begun. */

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Figure, surroundings, timed } from "./figures";
import { LoopServer } from "./LoopServer";
import { writeNotes } from "./notes";

const bin = join(import.meta.dirname, "..", "bin", "zqagent.js");
/** With the prompt and the answer 2,000 messages. */
const STEPS = 999;

interface Written {
  /** Bytes that the turn put on disk: what was appended, and the whole of each file that was written anew. */
  bytes: number;
  lines: number;
  /** Bytes of the session's files before. */
  before: number;
  /** Whether the checkpoint was written anew. */
  checkpoint: boolean;
}

export async function measureHistory(): Promise<Figure[]> {
  const long = await oneMoreTurn(STEPS);
  const fresh = await oneMoreTurn(0);
  const words = (turn: Written) => `${turn.bytes} bytes, ${turn.lines} lines of log beside ${turn.before} bytes`;
  console.log(`history: one more turn after 2,000 messages wrote ${words(long)}; after 2 messages ${words(fresh)}`);
  return [
    { name: "2,000 messages: bytes of one more turn", value: long.bytes / fresh.bytes, unit: "× after 2", goal: 1.1 },
    { name: "2,000 messages: log lines of one more turn", value: long.lines / fresh.lines, unit: "× after 2", goal: 1 },
    { name: "2,000 messages: checkpoints written anew", value: Number(long.checkpoint), unit: "files", goal: 0 },
  ];
}

async function oneMoreTurn(steps: number): Promise<Written> {
  const server = await LoopServer.start();
  const place = surroundings(server.url);
  const env = { ...place.env, MAX_ITERATIONS: String(steps + 10) };
  const run = async (...args: string[]) =>
    timed([process.execPath, bin, ...args, "-p", "Read all the notes.", "--mode", "auto"], { ...place, env });
  try {
    writeNotes(place.cwd, steps);
    await server.script(steps);
    await run();
    const before = filesBelow(place.home);
    await server.script(0);
    await run("--continue");
    const { requestBytes } = await server.figures();
    if (requestBytes < steps * 200)
      throw new Error(`Only ${requestBytes} bytes went out: the history was not restored.`);
    return difference(before, filesBelow(place.home));
  } finally {
    server.close();
    for (const folder of [place.cwd, place.home]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of sessions, by name. */
function filesBelow(home: string): Map<string, Buffer> {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const ours = names.filter((name) => /sessions\b.*\.jsonl?$/.test(name));
  return new Map(ours.map((name) => [name, readFileSync(join(home, name))]));
}

function difference(before: Map<string, Buffer>, after: Map<string, Buffer>): Written {
  const written = { bytes: 0, lines: 0, before: 0, checkpoint: false };
  for (const [name, now] of after) {
    const old = before.get(name) ?? Buffer.alloc(0);
    written.before += old.length;
    if (now.equals(old)) continue;
    const isAppended = now.length >= old.length && now.subarray(0, old.length).equals(old);
    const fresh = isAppended ? now.subarray(old.length) : now;
    written.bytes += fresh.length;
    if (name.endsWith(".jsonl")) written.lines += fresh.toString("utf8").split("\n").length - 1;
    else if (name.includes("state")) written.checkpoint = true;
  }
  return written;
}
