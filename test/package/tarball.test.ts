/** The tarball in a folder without any other package: every door opens, in both module systems and on every Node given. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { otherNodes } from "../support/otherNodes";
import { installTarball, runNode, SUB_PATHS } from "./packed";

const doors = ["zqagent", ...SUB_PATHS.map((path) => `zqagent/${path}`)];

/** Programs of a host that meets the package through two doors; each prints `ok`. */
const sharing: Record<string, string> = {
  "handlers-across.mjs": `
import assert from "node:assert";
import { createRequire } from "node:module";
import { ToolRegistry, setQuestionHandler, setPlanHandler, setDirectoryHandler } from "zqagent";
const require = createRequire(import.meta.url);
const { registerAskTool } = require("zqagent/tools/ask");
const { registerPlanTool } = require("zqagent/tools/plan");
const { registerDirectoryTool } = require("zqagent/tools/directories");
setQuestionHandler(() => "from ESM");
setPlanHandler(() => ({ approved: true, feedback: "from ESM" }));
setDirectoryHandler(() => true);
const registry = new ToolRegistry();
registerAskTool(registry);
registerPlanTool(registry);
registerDirectoryTool(registry, import.meta.dirname);
assert.equal((await registry.call("ask_user", { question: "Who?" })).content, "from ESM");
assert.match((await registry.call("propose_plan", { plan: "1." })).content, /from ESM/);
assert.match((await registry.call("request_directory", { path: "/usr/share", reason: "r" })).content, /^Granted/);
require("zqagent").setQuestionHandler(() => "from CommonJS");
assert.equal((await registry.call("ask_user", { question: "Who?" })).content, "from CommonJS");
console.log("ok");
`,
  "errors-across.mjs": `
import assert from "node:assert";
import { createRequire } from "node:module";
import * as esm from "zqagent";
const cjs = createRequire(import.meta.url)("zqagent");
const registry = new cjs.ToolRegistry();
cjs.registerFileTools(registry, import.meta.dirname);
const engine = new esm.TurnEngine({
  provider: new cjs.OpenAIProvider({ env: {} }),
  registry,
  permissions: new cjs.PermissionEngine({ workspaceRoot: import.meta.dirname }),
  model: "m",
  instructions: "i",
});
const events = [];
for await (const event of engine.run("hello")) events.push(event);
const { data } = events.find((event) => event.type === esm.EventType.ERROR);
assert.match(data.error, /^OPENAI_API_KEY is not set\\./);
assert.deepEqual([data.error_type, data.retriable], ["auth", false]);
console.log("ok");
`,
  "one-module.mjs": `
import assert from "node:assert";
import * as main from "zqagent";
for (const path of ${JSON.stringify(SUB_PATHS)}) {
  const door = await import("zqagent/" + path);
  for (const [name, value] of Object.entries(door)) if (name in main) assert.equal(value, main[name], name);
}
console.log("ok");
`,
  "one-module.cjs": `
const assert = require("node:assert");
const main = require("zqagent");
for (const path of ${JSON.stringify(SUB_PATHS)}) {
  const door = require("zqagent/" + path);
  for (const [name, value] of Object.entries(door)) if (name in main) assert.equal(value, main[name], name);
}
console.log("ok");
`,
};

/** Prints the names that each door gives, as JSON. */
const importAll = `
const names = {};
for (const door of ${JSON.stringify(doors)}) names[door] = Object.keys(await import(door)).sort();
console.log(JSON.stringify(names));
`;
const requireAll = `
const names = {};
for (const door of ${JSON.stringify(doors)}) names[door] = Object.keys(require(door)).sort();
console.log(JSON.stringify(names));
`;

let folder: string;
beforeAll(async () => {
  folder = await installTarball("zqagent");
  for (const [name, text] of Object.entries({ "all.mjs": importAll, "all.cjs": requireAll, ...sharing })) {
    writeFileSync(join(folder, name), text);
  }
});

/** `--no-experimental-require-module` makes a Node of today refuse what one below 20.19 could not do. */
const oldRequire = "--no-experimental-require-module";

async function namesFrom(node: string, args: string[]): Promise<Record<string, string[]>> {
  const ran = await runNode(args, { cwd: folder, node });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout) as Record<string, string[]>;
}

describe.each([process.execPath, ...otherNodes])("on %s", (node) => {
  test("every sub-path is imported and required, and gives the same names", async () => {
    const [imported, required, requiredAsEver] = await Promise.all([
      namesFrom(node, ["all.mjs"]),
      namesFrom(node, ["all.cjs"]),
      namesFrom(node, [oldRequire, "all.cjs"]),
    ]);
    expect(Object.keys(imported)).toEqual(doors);
    for (const door of doors) expect(imported[door]?.length, door).toBeGreaterThan(0);
    expect(required).toEqual(imported);
    expect(requiredAsEver).toEqual(imported);
  });

  test.each(Object.keys(sharing))("%s", async (program) => {
    for (const flags of program.endsWith(".cjs") ? [[], [oldRequire]] : [[]]) {
      expect(await runNode([...flags, program], { cwd: folder, node })).toEqual({
        code: 0,
        stdout: "ok\n",
        stderr: "",
      });
    }
  });
});

test("every built file parses, lazy ones too, and the optional dependency is left outside", async () => {
  const dist = join(folder, "node_modules", "zqagent", "dist");
  const files = (readdirSync(dist, { recursive: true }) as string[]).filter((name) => /\.c?js$/.test(name));
  const texts = new Map(files.map((name) => [name, readFileSync(join(dist, name), "utf8")]));
  // CommonJS is compiled here as a function body, which has no `import.meta` and no top-level await.
  for (const [name, text] of texts)
    if (name.endsWith(".cjs")) compileFunction(text, ["require", "exports"], { filename: name });
  for (const ending of [".js", ".cjs"]) {
    const all = [...texts].filter(([name]) => name.endsWith(ending)).map(([, text]) => text);
    expect(
      all.some((text) => /(import|require)\(["']@vscode\/ripgrep["']\)/.test(text)),
      ending,
    ).toBe(true);
    expect(
      all.some((text) => text.includes("Could not find ${")),
      ending,
    ).toBe(false);
  }
});

test.skipIf(otherNodes.length > 0)(
  "other lines of Node: set ZQAGENT_NODE_BINARIES to paths of node to try them",
  (context) => {
    context.skip("ZQAGENT_NODE_BINARIES names no other Node.");
  },
);
