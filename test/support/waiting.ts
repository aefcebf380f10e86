/** Waiting for what another process does, and looking at what it left. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Resolves as soon as it holds; rejects after fifteen seconds. */
export async function untilHolds(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It did not come about in fifteen seconds: ${holds}`);
}

/** The number that a command writes into a file, once the whole line is there. */
export async function numberInFile(path: string): Promise<number> {
  await untilHolds(() => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"));
  return Number(readFileSync(path, "utf8"));
}

/** The living processes of a process group. */
export function groupOf(pgid: number): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,pgid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, group, state]) => Number(group) === pgid && !state?.startsWith("Z"))
    .map(([pid]) => Number(pid));
}
