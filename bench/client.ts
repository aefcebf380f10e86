/** Runs a program of `bench/clients/` that measures its own work on the built package. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Run } from "./figures";

/** Another build can be named, so that two of them can be compared. */
const library = process.env["ZQBENCH_PACKAGE"] ?? join(import.meta.dirname, "..", "dist", "index.js");

/** What the program prints: milliseconds of the job alone, and the megabytes of its process at most. */
export async function measured(program: string, ...args: string[]): Promise<Required<Run>> {
  const file = join(import.meta.dirname, "clients", `${program}.mjs`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, library, ...args]);
  return JSON.parse(stdout) as Required<Run>;
}
