/** Caches that programs keep in the home folder and do not work without: in the sandbox they move to the temporary folder. */

import { join } from "node:path";
import { parentEnvironment } from "../shared/childEnvironment";
import type { Environment } from "../shared/env";
import { isInside, realPathOf } from "../shared/paths";
import type { SandboxPlan } from "./plan";

/** The variable that moves a cache, and where it lies without it. Those that do without a cache are not listed. */
const caches: [variable: string, place: string][] = [
  ["npm_config_cache", ".npm"],
  ["GOCACHE", ".cache/go-build"],
  ["UV_CACHE_DIR", ".cache/uv"],
  ["CCACHE_DIR", ".cache/ccache"],
];

/** Variables for a confined command. A cache that may be written where it is stays there. */
export function cacheSettings(plan: SandboxPlan, env: Environment = parentEnvironment()): [string, string][] {
  const temp = plan.tempFolders[0] ?? "/tmp";
  const home = env.HOME;
  if (!home) return [];
  const writable = [plan.workspace, ...plan.extraWritable, ...plan.tempFolders];
  return caches
    .filter(([variable, place]) => {
      const path = realPathOf(env[variable] || join(home, place));
      return !writable.some((folder) => isInside(folder, path));
    })
    .map(([variable]) => [variable, join(temp, ".cache", variable.toLowerCase())]);
}
