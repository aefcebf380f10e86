/** What the screen costs until the first typed key is on it, against an empty Node process in the same run. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startPty } from "../test/support/pty";
import { type Figure, interleaved, type Run, surroundings, timed } from "./figures";

const bin = join(import.meta.dirname, "..", "bin", "zqagent.js");

export async function measureFirstKey(runs: number): Promise<Figure[]> {
  const place = surroundings("http://127.0.0.1:9/v1");
  const result = await interleaved(
    {
      empty: () => timed([process.execPath, "-e", "0"], place),
      key: () => firstKey(place),
    },
    runs,
  );
  return [
    { name: "first key echoed, CPU", value: result.key.cpu / result.empty.cpu, unit: "× node -e 0", goal: 10 },
    { name: "first key echoed, wall", value: result.key.wall / result.empty.wall, unit: "× node -e 0", goal: 13.3 },
  ];
}

async function firstKey(place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Run> {
  const began = performance.now();
  const pty = startPty(process.execPath, [bin], { cols: 120, rows: 40, cwd: place.cwd, env: place.env });
  try {
    await pty.waitFor(/❯/);
    pty.send("z");
    await pty.waitFor(/❯ z/);
    return { wall: performance.now() - began, cpu: cpuOf(pty.pid) };
  } finally {
    pty.kill();
    await pty.exited;
  }
}

/** CPU of a living process in milliseconds, from /proc; its grain is 10 ms. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
