/** Whether a process lives, by its number: whose locks and leftovers may be taken away. */

import { codeOf } from "./errors";

/** True as well for a process of another user, whom we may not signal, and where nothing can be known. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
