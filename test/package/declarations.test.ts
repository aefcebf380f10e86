/** The packed declarations as a user's compiler reads them: nothing but Node's own types beside them. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { addNodeTypes, installTarball, ROOT, SUB_PATHS } from "./packed";

let folder: string;
beforeAll(async () => {
  folder = await installTarball("zqagent");
  addNodeTypes(folder);
});

/** What the seed recommends (3.3), but with every declaration checked. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  strict: true,
  esModuleInterop: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"],
};

/** What the compiler says of these files, `name: message`. */
function complaints(program: ts.Program): string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

function compile(texts: Record<string, string>, more: ts.CompilerOptions = {}): ts.Program {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const files = Object.keys(texts).map((name) => join(folder, name));
  return ts.createProgram(files, { ...options, ...more, typeRoots: [join(folder, "node_modules", "@types")] });
}

test("they compile without skipLibCheck for an ES module and for a CommonJS one", () => {
  const doors = ["zqagent", ...SUB_PATHS.map((path) => `zqagent/${path}`)];
  const text = doors
    .map((door, index) => `import * as door${index} from "${door}";\nexport { door${index} };`)
    .join("\n");
  const program = compile({ "consumer.mts": `${text}\n${use}`, "consumer.cts": `${text}\n${use}` });
  expect(complaints(program)).toEqual([]);
  const read = program.getSourceFiles().map((file) => file.fileName);
  for (const ending of ["/dist/index.d.ts", "/dist/index.d.cts", "/dist/tools/ask.d.ts", "/dist/tools/ask.d.cts"]) {
    expect(
      read.some((name) => name.endsWith(ending)),
      ending,
    ).toBe(true);
  }
});

test.each(["README.md", "docs/embedding.md"])("the code in %s compiles, in the strictest setting too", (page) => {
  const blocks = [...readFileSync(join(ROOT, page), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code ?? "",
  );
  expect(blocks.length).toBeGreaterThan(0);
  const texts = Object.fromEntries(blocks.map((code, index) => [`block${index + 1}.mts`, `${code}\nexport {};\n`]));
  expect(complaints(compile(texts, { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }))).toEqual([]);
});

test("every option may be undefined in the strictest setting: that is the same as leaving it out", () => {
  const text = `import * as zq from "zqagent";\n${REFUSED}\n${bags.map(bagCheck).join("\n")}\n${undefinedUse}`;
  expect(complaints(compile({ "undefined.mts": text }, { exactOptionalPropertyTypes: true }))).toEqual([]);
  const wrong = `${REFUSED}\nexport type Bag = None<Refused<{ name?: string; other?: string | undefined; must: string }>>;`;
  expect(complaints(compile({ "wrong.mts": wrong }, { exactOptionalPropertyTypes: true }))).toEqual([
    expect.stringContaining("'\"name\"' does not satisfy the constraint 'never'"),
  ]);
});

/** The names of a bag's options that cannot be undefined; the compiler's complaint names them. */
const REFUSED = `
type None<Names extends never> = Names;
type Refused<T> = {
  [K in keyof Required<T>]: {} extends Pick<T, K> ? (undefined extends Required<T>[K] ? never : K) : never;
}[keyof T];`;

const bagCheck = (bag: string, index: number) => `export type Bag${index} = None<Refused<${bag}>>;`;

const optionsOf = (callable: string, place: number) => `NonNullable<Parameters<typeof zq.${callable}>[${place}]>`;
const optionsOfNew = (name: string, place: number) => `NonNullable<ConstructorParameters<typeof zq.${name}>[${place}]>`;

/** Every bag of options that the library takes, and what a host gives back to it. */
const bags = [
  ...["CreateEngineOpts", "TurnEngineOpts", "ExploreOptions", "FileLogOptions", "SessionVcsOptions"].map(named),
  ...["PermissionOptions", "SandboxState", "SandboxOptions", "RestoreOptions", "ProbeOptions"].map(named),
  ...["McpManagerOptions", "McpClientOptions", "McpLazyOptions", "McpBuiltinContext", "McpBuiltinModel"].map(named),
  ...["McpServerConfig", "McpServerEntry", "EnvironmentFacts", "StreamOpts", "RequestOptions"].map(named),
  ...["ToolMetadata", "ToolResult", "ApprovalAnswer", "SavedState"].map(named),
  ...["vcs", "web", "sandbox"].map((name) => `NonNullable<zq.CreateEngineOpts["${name}"]>`),
  `NonNullable<NonNullable<zq.CreateEngineOpts["web"]>["search"]>`,
  ...["OpenAIProvider", "MarkdownRenderer", "ConsoleHook"].map((name) => optionsOfNew(name, 0)),
  optionsOfNew("VcsHook", 1),
  ...[0, 1].map((place) => `NonNullable<Parameters<zq.FileLogHook["saveState"]>[${place}]>`),
  ...["File", "ReadOnlyFile", "Diff", "Git", "Web"].map((name) => optionsOf(`register${name}Tools`, 2)),
  ...["Search", "Shell", "Directory"].map((name) => optionsOf(`register${name}Tool`, 2)),
  ...["Media", "Todo"].map((name) => optionsOf(`register${name}Tool`, 1)),
  optionsOf("registerTerminalTools", 1),
  optionsOf("buildInstructions", 4),
  optionsOf("resolveVcsPlan", 1),
  `Awaited<ReturnType<zq.TerminalSource["list"]>>[number]`,
  `Exclude<Awaited<ReturnType<zq.PlanHandler>>, boolean>`,
  `Exclude<Awaited<ReturnType<zq.DirectoryHandler>>, boolean>`,
];

function named(name: string): string {
  return `zq.${name}`;
}

/** What the guide itself writes: what may not be there is handed on as it is. */
const undefinedUse = `
export function open(workspace: string, logDir?: string, signal?: AbortSignal): zq.TurnEngine {
  const provider = new zq.OpenAIProvider({ logDir, apiKey: undefined });
  void zq.probeEndpoint({ model: "m", apiKey: logDir, signal });
  return zq.createDefaultEngine({
    workspace,
    provider,
    messages: zq.FileLogHook.loadState("s1", "state")?.messages,
    vcs: { mode: "auto", sessionId: undefined, onNotice: undefined },
  });
}
`;

/** Types must be more than `any`: a wrong use does not compile. */
const use = `
import { createDefaultEngine, Mode, type WsEvent } from "zqagent";
export async function run(): Promise<WsEvent[]> {
  const engine = createDefaultEngine({ workspace: "/w", mode: Mode.PLAN });
  const events: WsEvent[] = [];
  for await (const event of engine.run("hello")) events.push(event);
  // @ts-expect-error: there is no such mode
  engine.permissions.mode = "fast";
  // @ts-expect-error: workspace is missing
  createDefaultEngine({ model: "m" });
  return events;
}
`;

test("no declaration names a type of a third party", () => {
  const dist = join(folder, "node_modules", "zqagent", "dist");
  const files = (readdirSync(dist, { recursive: true }) as string[]).filter((name) => /\.d\.c?ts$/.test(name));
  expect(files.length).toBeGreaterThanOrEqual(2 * (1 + SUB_PATHS.length));
  const known = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  for (const file of files) {
    const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(join(dist, file), "utf8"));
    const foreign = [...importedFiles, ...typeReferenceDirectives]
      .map(({ fileName }) => fileName)
      .filter((name) => !name.startsWith(".") && !known.has(name));
    expect(foreign, file).toEqual([]);
  }
});
