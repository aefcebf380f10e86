/** Lines around matches, read from the files themselves, so that both ways of searching show the same. */

import { openRegularFile } from "../../shared/files";
import { readBytes } from "../read/textSource";
import { aroundMatch } from "./query";

const PIECE_BYTES = 256 * 1024;

/** The wanted lines of a file by number, from 1, cut to what is shown; none if the file is gone meanwhile. */
export async function readLines(path: string, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const lines = new Map<number, string>();
  const last = Math.max(0, ...wanted);
  try {
    let number = 0;
    for await (const line of linesOf(path)) {
      number += 1;
      if (wanted.has(number)) lines.set(number, aroundMatch(line, 0));
      if (number >= last) break;
    }
  } catch {
    // The match itself was seen; without its surroundings it is still worth showing.
  }
  return lines;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const { handle, stamp } = await openRegularFile(path);
  try {
    const head = await readBytes(handle, 0, Math.min(2, stamp.size));
    const decoder = new TextDecoder(encodingOf(head));
    let rest = "";
    for (let at = 0; at < stamp.size; at += PIECE_BYTES) {
      const bytes = await readBytes(handle, at, Math.min(PIECE_BYTES, stamp.size - at));
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.map(withoutReturn);
    }
    if (rest !== "") yield withoutReturn(rest);
  } finally {
    await handle.close();
  }
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "utf-8";
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
