/**
 * Builds dist: empties it (both formats share it), runs tsup, writes the notices of what is built in.
 * With `--if-stale` nothing is done when no input has changed since the last build; `--no-types` leaves the declarations out.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { writeNotices } from "./notices.mjs";

process.chdir(join(import.meta.dirname, ".."));

const stamp = "dist/.inputs";
const inputs = hashOf([
  "src",
  "prompts",
  "scripts",
  "package.json",
  "tsup.config.ts",
  "tsconfig.json",
  "package-lock.json",
]);
const isFresh = existsSync(stamp) && readFileSync(stamp, "utf8") === inputs;

if (!(process.argv.includes("--if-stale") && isFresh)) {
  rmSync("dist", { recursive: true, force: true });
  const withTypes = !process.argv.includes("--no-types");
  await build({ config: "tsup.config.ts", ...(withTypes ? {} : { dts: false }) });
  writeNotices("dist");
  if (withTypes) writeFileSync(stamp, inputs);
}

function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesOf)) hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  const entries = (() => {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch {
      return null;
    }
  })();
  if (entries === null) return [path];
  return entries
    .map((entry) => entry.name)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
