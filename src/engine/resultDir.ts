/** Where tool results that are too long for the model are kept when the host names no folder. */

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textFrom } from "../shared/env";
import { SAVED_RESULTS } from "../tools/resultBudget";

let root: string | null = null;

/**
 * `TOOL_RESULT_DIR`, else `tool-results` in a folder of its own under the temp folder: each call names another one,
 * made (0700) when the first result is saved, removed when the process ends.
 */
export function resolveToolResultDir(): string {
  const named = textFrom(process.env, "TOOL_RESULT_DIR");
  return named ?? join(rootOfProcess(), randomUUID().slice(0, 8), SAVED_RESULTS);
}

function rootOfProcess(): string {
  if (root !== null) return root;
  const folder = join(tmpdir(), `zqagent-${randomUUID()}`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  root = folder;
  return folder;
}
