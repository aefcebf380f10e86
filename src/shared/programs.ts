/** Finds a program by name without ever taking one that the project planted. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "./env";
import { isInside, realPathOf } from "./paths";

export interface ProgramSearch {
  /** The environment whose PATH (and PATHEXT on Windows) is walked; default is the process's own. */
  env?: Environment;
  /** A folder whose content is never run (the workspace). */
  outside?: string;
}

/**
 * The absolute path of a program, or null. Only absolute PATH entries count: an empty entry or `.` would take a file
 * of the folder that we work in.
 */
export function findProgram(name: string, search: ProgramSearch = {}): string | null {
  const env = search.env ?? process.env;
  const banned = search.outside === undefined ? null : realPathOf(search.outside);
  for (const folder of (pathOf(env) ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const extension of extensionsOf(env)) {
      const candidate = join(folder, name + extension);
      if (isRunnable(candidate) && !(banned && isInside(banned, realPathOf(candidate)))) return candidate;
    }
  }
  return null;
}

/** Windows spells it `Path`, and environments that were copied keep that spelling. */
function pathOf(env: Environment): string | undefined {
  if (env.PATH !== undefined || process.platform !== "win32") return env.PATH;
  return Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1];
}

function extensionsOf(env: Environment): string[] {
  if (process.platform !== "win32") return [""];
  return [...(env.PATHEXT ?? ".EXE;.CMD;.BAT;.COM").split(";"), ""];
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
