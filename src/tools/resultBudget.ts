/** Keeps a tool's answer small enough for the model: what is too long is saved whole and shown by its two ends. */

import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ToolResult } from "../shared/contracts";
import { type Environment, numberFrom, TOOL_RESULT_MAX_CHARS } from "../shared/env";
import { codeOf, messageOf } from "../shared/errors";
import { grouped, headOf } from "./text";

export interface ResultBudgetOptions {
  /** The call's id; the saved file is named after it. */
  reqId: string;
  /** Where long results are kept (guide 7.2, `TOOL_RESULT_DIR`). Made when first needed. */
  dir: string;
  env?: Environment;
  /** The tool pages by itself: its answer is passed on as it is. */
  selfLimiting?: boolean;
}

/** Tools whose answers have limits of their own and are never saved. */
export const SELF_LIMITING_TOOLS: ReadonlySet<string> = new Set(["read_file", "list_files", "grep", "web_fetch"]);

/** The folder name by which the model knows saved results, wherever they lie. */
export const SAVED_RESULTS = "tool-results";

/** The result as the model gets it. Never rejects: where the file cannot be written the notice says so. */
export async function applyResultBudget(result: ToolResult, options: ResultBudgetOptions): Promise<ToolResult> {
  const env = options.env ?? process.env;
  const longest = numberFrom(env, "TOOL_RESULT_MAX_CHARS", TOOL_RESULT_MAX_CHARS, 1);
  const threshold = numberFrom(env, "TOOL_RESULT_SAVE_THRESHOLD", longest, 1);
  const length = result.content.length;
  if (options.selfLimiting || length <= Math.min(longest, threshold)) return result;
  const isSaved = length > threshold;
  const notice = isSaved ? await save(result.content, options) : "middle left out";
  const room = isSaved ? Math.min(longest, threshold) : longest;
  return { ...result, content: cutMiddle(result.content, `[${grouped(length)} characters, ${notice}]`, room) };
}

/**
 * The notice stands at the edge, so that a second cut of the middle spares it; then the first 40 % and the last 60 %
 * of what fits, cut at line ends.
 */
function cutMiddle(text: string, notice: string, room: number): string {
  const gap = "\n[…]\n";
  const left = Math.max(0, room - notice.length - 1 - gap.length);
  const tail = lastPart(text, Math.ceil(left * 0.6));
  return `${notice}\n${firstPart(text, left - Math.ceil(left * 0.6))}${gap}${tail}`;
}

function firstPart(text: string, length: number): string {
  const part = text.slice(0, length);
  const end = part.lastIndexOf("\n");
  return end > length / 2 ? part.slice(0, end) : headOf(text, length);
}

function lastPart(text: string, length: number): string {
  const part = length === 0 ? "" : text.slice(-length);
  const start = part.indexOf("\n");
  return start >= 0 && start < length / 2 ? part.slice(start + 1) : part.replace(/^[\uDC00-\uDFFF]/, "");
}

async function save(content: string, { dir, reqId }: ResultBudgetOptions): Promise<string> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = await writeNew(dir, fileStem(reqId), content);
    return `middle left out; all of it is in ${SAVED_RESULTS}/${file}: read_file can page it`;
  } catch (error) {
    return `middle left out; it could not be saved (${messageOf(error)})`;
  }
}

/** Ids come from the endpoint: only harmless characters get into a file name. */
function fileStem(reqId: string): string {
  return (
    basename(reqId)
      .replace(/[^\w-]/g, "_")
      .slice(0, 80) || "result"
  );
}

/** Never writes over or through what is there: a second result of one id gets a number. */
async function writeNew(dir: string, stem: string, content: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const file = copy === 1 ? `${stem}.txt` : `${stem}-${copy}.txt`;
    try {
      await writeFile(join(dir, file), content, { flag: "wx", mode: 0o600 });
      return file;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || copy >= 1000) throw error;
    }
  }
}
