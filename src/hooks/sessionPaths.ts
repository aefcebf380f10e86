/** Where a session's log and checkpoint lie (guide 11.3). */

import { join } from "node:path";

export function logPath(sessionId: string, stateDir: string): string {
  return join(stateDir, `${sessionId}.jsonl`);
}

export function statePath(sessionId: string, stateDir: string): string {
  return join(stateDir, `${sessionId}_state.json`);
}

/** True when an id can be part of a file name on every system. */
export function isFileName(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/[/\\:\0]/.test(text) && text !== "." && text !== "..";
}
