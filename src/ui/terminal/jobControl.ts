/** Stopping ourselves as a shell expects it, and no one else than needed (tui rule 29). */

import { readFileSync } from "node:fs";

/**
 * Stops this process. Started straight from a shell it is the leader of its group and stops alone; under npx or a script
 * the whole group must stop, or the shell would wait for ever. Tools have groups of their own and are never in it.
 */
export function stopSelf(): void {
  process.kill(isGroupLeader() ? process.pid : 0, "SIGTSTP");
}

function isGroupLeader(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The name in parentheses may hold blanks; behind it: state, parent, group.
    const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    return Number(group) === process.pid;
  } catch {
    return false;
  }
}
