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
