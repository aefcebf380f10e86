/** Two builds of one source: ESM (library and command, sharing chunks) and CommonJS (library only). */
import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { lazyStringWidth } from "./scripts/lazyStringWidth.mjs";
import { lightHeaders } from "./scripts/lightHeaders.mjs";
import { lightResources } from "./scripts/lightResources.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** A public sub-path is a name, not a place: `tools/explore` is built from the room where explore lives. */
const library = {
  index: "src/index.ts",
  "tools/fs": "src/tools/fs.ts",
  "tools/shell": "src/tools/shell.ts",
  "tools/search": "src/tools/search.ts",
  "tools/web": "src/tools/web.ts",
  "tools/git": "src/tools/git.ts",
  "tools/diff": "src/tools/diff.ts",
  "tools/todo": "src/tools/todo.ts",
  "tools/ask": "src/tools/ask.ts",
  "tools/plan": "src/tools/plan.ts",
  "tools/directories": "src/tools/directories.ts",
  "tools/explore": "src/agents/explore.ts",
  "tools/media": "src/tools/media.ts",
};

/** Ink asks for it only under DEV=true; without a stand-in the bundle cannot be made. */
const emptyDevtools = {
  name: "empty-devtools",
  setup(build: { onResolve: Function; onLoad: Function }) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "devtools", namespace: "empty" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}" }));
  },
};

const base: Options = {
  platform: "node",
  target: "node20",
  splitting: true,
  minify: true,
  keepNames: true,
  // All but the optional dependency: it finds its binary beside itself.
  noExternal: [/^(?!@vscode\/ripgrep$)/],
  external: ["@vscode/ripgrep"],
  define: { "process.env.NODE_ENV": '"production"', ZQAGENT_VERSION: JSON.stringify(version) },
  loader: { ".md": "text" },
  esbuildPlugins: [emptyDevtools as never, lazyStringWidth as never, lightHeaders as never, lightResources as never],
  metafile: true,
  silent: true,
};

/** CommonJS packages inside an ESM bundle still call `require`. */
const requireShim = {
  js: 'import { createRequire as __zqRequire } from "node:module"; const require = __zqRequire(import.meta.url);',
};

/**
 * tsup splits CommonJS with sucrase, which also lowers `?.`, `??` and class fields, and breaks `await (await x)?.y()` and
 * some fields (measured: the chunk does not parse). esbuild lowers them soundly first, and nothing is left to break.
 */
const lowered: Options["esbuildOptions"] = (options) => {
  const features = ["optional-chain", "nullish-coalescing", "class-field", "class-static-field"];
  options.supported = Object.fromEntries(features.map((feature) => [feature, false]));
};

/** CommonJS has no `import.meta`; a chunk that holds it does not even parse. Its users look for their files, or fall back. */
const noMeta = { "import.meta.url": "__zqFileUrl", "import.meta.resolve": "undefined" };
const fileUrl = { js: 'const __zqFileUrl = require("node:url").pathToFileURL(__filename).href;' };

export default defineConfig([
  {
    ...base,
    entry: { ...library, "cli/main": "src/cli/main.ts" },
    format: ["esm"],
    banner: requireShim,
    dts: { entry: library },
  },
  {
    ...base,
    entry: library,
    format: ["cjs"],
    define: { ...base.define, ...noMeta },
    banner: fileUrl,
    dts: { entry: library },
    esbuildOptions: lowered,
  },
]);
