/** Where tool results that are too long for the model are kept when the host names no folder. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textFrom } from "../shared/env";
import { SAVED_RESULTS } from "../tools/resultBudget";

/** `TOOL_RESULT_DIR`, else `tool-results` in a fresh folder (0700) under the temp folder, removed when the process ends. */
export function createToolResultDir(): string {
  const named = textFrom(process.env, "TOOL_RESULT_DIR");
  if (named) return named;
  const folder = mkdtempSync(join(tmpdir(), "zqagent-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, SAVED_RESULTS);
}
