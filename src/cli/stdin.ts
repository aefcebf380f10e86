/** What comes in by stdin: the prompt itself, or input that goes with a prompt. */

import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";

/** How long a pipe may stay silent beside a prompt before it counts as nobody's, in milliseconds. */
const SILENCE_MS = 300;

/** Most that is taken from stdin, in bytes: more would not fit any model. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads stdin to its end. Beside a prompt (`hasPrompt`) it is read only if it is a file, or a pipe that gives its first
 * byte or its end in time: a script's inherited, silent stdin must not hang the run.
 */
export async function readStdin(
  hasPrompt: boolean,
  stdin: Readable & { isTTY?: boolean } = process.stdin,
): Promise<string> {
  if (stdin.isTTY) return "";
  if (hasPrompt && !isFile(0) && !(await speaks(stdin))) {
    stdin.destroy();
    return "";
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > MAX_BYTES) {
      chunks.push(bytes.subarray(0, bytes.length - (size - MAX_BYTES)), Buffer.from("\n[cut at 8 MB]"));
      break;
    }
    chunks.push(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(chunks)).trim();
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** Resolves true at the first byte or the end, false after the silence. Nothing is taken from the stream. */
function speaks(stdin: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (spoke: boolean) => {
      clearTimeout(timer);
      stdin.off("readable", onReadable);
      stdin.off("end", onReadable);
      stdin.off("error", onReadable);
      resolve(spoke);
    };
    const onReadable = () => finish(true);
    const timer = setTimeout(() => finish(false), SILENCE_MS);
    stdin.once("readable", onReadable);
    stdin.once("end", onReadable);
    stdin.once("error", onReadable);
  });
}
