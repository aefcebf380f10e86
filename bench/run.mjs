/** `npm run bench [measure…] [--runs N]`: builds if stale, then measures; figures are ratios taken in one run. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
execFileSync(process.execPath, [here("../scripts/build.mjs"), "--if-stale"], { stdio: "inherit" });
/** Prompts are Markdown files that the build inlines as text; the soak runs from the sources. */
const markdownAsText = {
  name: "markdown-as-text",
  transform: (code, id) => (id.endsWith(".md") ? `export default ${JSON.stringify(code)}` : undefined),
};
const { module } = await runnerImport(here("./main.ts"), {
  configFile: false,
  logLevel: "error",
  plugins: [markdownAsText],
  define: { ZQAGENT_VERSION: '"bench"' },
});
process.exit(await module.main(process.argv.slice(2)));
