/** Bundles the screen's fixture as the product is bundled, so that plain Node can run it in a pseudo-terminal. */
import { mkdirSync } from "node:fs";
import { build, type Options } from "tsup";

/** Ink asks for it only under DEV=true; without a stand-in the bundle cannot be made. */
const emptyDevtools: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "empty-devtools",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "devtools", namespace: "empty" }));
    onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}" }));
  },
};

/** Builds `test/ui/fixtures/screen.ts` into a folder; the path of the program. */
export async function buildScreen(outDir: string): Promise<string> {
  mkdirSync(outDir, { recursive: true });
  await build({
    config: false,
    entry: { screen: "test/ui/fixtures/screen.ts" },
    outDir,
    format: ["esm"],
    platform: "node",
    target: "node20",
    splitting: true,
    minify: true,
    keepNames: true,
    noExternal: [/.*/],
    define: { "process.env.NODE_ENV": '"production"' },
    esbuildPlugins: [emptyDevtools],
    banner: {
      js: 'import { createRequire as __zqRequire } from "node:module"; const require = __zqRequire(import.meta.url);',
    },
    silent: true,
    dts: false,
  });
  return `${outDir}/screen.js`;
}
