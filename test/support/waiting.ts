/** Waiting for what another process does, and looking at what it left. */

import { execFileSync } from "node:child_process";

/** Resolves as soon as it holds; rejects after fifteen seconds. */
export async function untilHolds(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It did not come about in fifteen seconds: ${holds}`);
}

let marks = 0;

/** A command that runs long, and a text by which its processes are found among all others, in a sandbox or not. */
export function longCommand(): { command: string; mark: string } {
  marks += 1;
  const mark = `sleep 6${process.pid}.${marks}`;
  return { command: `${mark} & ${mark}`, mark };
}

/** The living processes whose command line holds a text. */
export function processesWith(text: string): number[] {
  const rows = execFileSync("ps", ["-ww", "-eo", "pid=,stat=,args="], { encoding: "utf8" }).trim().split("\n");
  return rows
    .map((row) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(row))
    .filter((match) => match?.[3]?.includes(text) && !match[2]?.startsWith("Z"))
    .map((match) => Number(match?.[1]));
}
