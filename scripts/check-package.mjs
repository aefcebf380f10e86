/** Packs the project and looks at the tarball as its users get it: exports, types, size, what is inside. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAX_UNPACKED_MB = 12;
const folder = mkdtempSync(join(tmpdir(), "zqagent-pack-"));
const run = (command, args) => execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  const [packed] = JSON.parse(run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]));
  const tarball = join(folder, packed.filename);
  const megabytes = packed.unpackedSize / 1e6;
  console.log(`${packed.filename}: ${packed.entryCount} files, ${megabytes.toFixed(1)} MB unpacked`);
  if (megabytes > MAX_UNPACKED_MB) throw new Error(`The package is over ${MAX_UNPACKED_MB} MB unpacked.`);
  for (const wanted of [
    "bin/zqagent.js",
    "dist/cli/main.js",
    "dist/index.js",
    "dist/index.cjs",
    "dist/index.d.ts",
    "LICENSE",
    "README.md",
    "dist/THIRD-PARTY-NOTICES.txt",
  ]) {
    if (!packed.files.some((file) => file.path === wanted)) throw new Error(`The package lacks ${wanted}.`);
  }
  console.log(run("npx", ["publint", tarball, "--strict"]));
  console.log(run("npx", ["attw", tarball, "--profile", "node16"]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
