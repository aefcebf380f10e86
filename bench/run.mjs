/** `npm run bench [measure…] [--runs N]`: builds if stale, then measures; figures are ratios taken in one run. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
execFileSync(process.execPath, [here("../scripts/build.mjs"), "--if-stale"], { stdio: "inherit" });
const { module } = await runnerImport(here("./main.ts"), { configFile: false, logLevel: "error" });
process.exit(await module.main(process.argv.slice(2)));
