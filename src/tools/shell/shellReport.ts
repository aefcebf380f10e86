/** The words in which the model reads how a command went. */

import { messageOf } from "../../shared/errors";
import type { ProcessEnd } from "../../shared/process";
import type { CommandOutput } from "./CommandOutput";
import type { KeptText } from "./keptText";

/** Below the result budget, so that a text cut here is not cut again. */
const MOST_CHARS = 28_000;

/** What was printed, as far as it is shown; the middle of what outgrew memory is left out. */
export function outputText(output: CommandOutput): string {
  const kept = output.settled();
  const text = kept.isCut ? cutText(kept) : kept.from(0).text;
  const binary = output.binaryBytes > 0 ? `[binary output, ${sizeOf(output.binaryBytes)}, not shown]` : "";
  return [text.trimEnd(), binary].filter(Boolean).join("\n") || "(no output)";
}

/** Head 40 %, tail 60 %, cut at line ends where there are any. */
export function cutText(kept: KeptText): string {
  const [head, tail] = kept.ends(MOST_CHARS * 0.4, MOST_CHARS * 0.6);
  const headEnd = head.lastIndexOf("\n");
  const tailStart = tail.indexOf("\n");
  const saved = kept.saved;
  const where = saved
    ? `${saved.whole ? "all of it" : "the beginning of it"} is in ${saved.file}: read_file can page it`
    : "it was too long to keep";
  return [
    `[${kept.length.toLocaleString("en-US")} characters, middle left out; ${where}]`,
    headEnd > 0 ? head.slice(0, headEnd) : head,
    "[…]",
    tailStart >= 0 && tailStart < tail.length - 1 ? tail.slice(tailStart + 1) : tail,
  ].join("\n");
}

/** `exit 0` or `killed by SIGSEGV`, without brackets. */
export function endWords(end: ProcessEnd | null): string {
  if (end === null) return "could not be stopped";
  if (end.signal) return `killed by ${end.signal}`;
  if (end.code === null) return `could not be started: ${end.error ? messageOf(end.error) : "no reason given"}`;
  return `exit ${end.code}`;
}

/** `3.2 s`, `42 s`. */
export function secondsOf(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** `12 B`, `182 KB`, `50 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${Math.round(bytes / 1_000_000)} MB`;
}
