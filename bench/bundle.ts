/** Bundles a program of `bench/clients/` as tsup.config.ts bundles the package, into a folder that the caller removes. */

import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { lightHeaders } from "../scripts/lightHeaders.mjs";
import { lightResources } from "../scripts/lightResources.mjs";

/** Returns the folder; the program is `<name>.mjs` in it. */
export async function bundled(name: string): Promise<string> {
  const cache = join(import.meta.dirname, "..", "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `bench-${name}-`));
  await build({
    config: false,
    entry: { [name]: join(import.meta.dirname, "clients", `${name}.ts`) },
    outDir: folder,
    outExtension: () => ({ js: ".mjs" }),
    format: ["esm"],
    target: "node20",
    platform: "node",
    minify: true,
    keepNames: true,
    noExternal: [/.*/],
    external: ["@vscode/ripgrep"],
    define: { "process.env.NODE_ENV": '"production"', ZQAGENT_VERSION: '"bench"' },
    loader: { ".md": "text" },
    // CommonJS packages inside an ESM bundle still call `require`.
    banner: { js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);' },
    esbuildPlugins: [lightHeaders as never, lightResources as never],
    silent: true,
  });
  return folder;
}
