/** All that the guide names, held against the built package: both module systems, and both sets of declarations. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { DIST, SUB_PATHS } from "../package/packed";
import { blocks } from "./blocks";
import * as seed from "./seedNames";

type Exports = Record<string, unknown>;
const require = createRequire(import.meta.url);
const imported = async (entry: string) => (await import(pathToFileURL(join(DIST, `${entry}.js`)).href)) as Exports;
const required = (entry: string) => require(join(DIST, `${entry}.cjs`)) as Exports;

describe.each([
  ["ESM", imported],
  ["CommonJS", required],
] as const)("%s", (_form, load) => {
  test.each(Object.entries(seed.values))("exports of %s", async (_section, names) => {
    const main = await load("index");
    expect(names.filter((name) => main[name] === undefined)).toEqual([]);
  });

  test.each(Object.entries(seed.subPaths))("sub-path %s", async (path, names) => {
    const door = await load(path);
    expect(names.filter((name) => typeof door[name] !== "function")).toEqual([]);
  });

  test("what stands in the list of chapters not built yet is not there; shorten the list when it is", async () => {
    const main = await load("index");
    expect(
      Object.values(seed.notYet)
        .flat()
        .filter((name) => name in main),
    ).toEqual([]);
  });

  test("enumerations, constants and the kinds of events have the guide's values", async () => {
    const main = await load("index");
    for (const [name, members] of Object.entries(seed.enumerations)) expect(main[name], name).toEqual(members);
    for (const [name, value] of Object.entries(seed.constants)) expect(main[name], name).toBe(value);
    const kinds = main["EventType"] as Record<string, string>;
    // Additions are allowed, but each value is the name in small letters.
    for (const type of Object.keys(seed.events)) expect(kinds[type.toUpperCase()], type).toBe(type);
    expect(Object.entries(kinds).filter(([name, value]) => name.toLowerCase() !== value)).toEqual([]);
    expect(main["PROMPT_LANGS"]).toEqual(expect.arrayContaining(["zh", "en", "zh-TW", "ja", "ko", "es"]));
  });
});

test("a code block without a program belongs to a chapter that is not built yet", () => {
  const chapters = Object.keys(seed.notYet);
  const waiting = blocks.filter(({ notYet }) => notYet).map(({ section }) => section.split(".")[0] ?? "");
  expect([...new Set(waiting)].filter((chapter) => !chapters.includes(chapter))).toEqual([]);
});

test("the sub-paths of the guide are those that are tested, and the package has no others", () => {
  const { exports } = require(join(DIST, "..", "package.json")) as { exports: Record<string, unknown> };
  expect(Object.keys(seed.subPaths)).toEqual(SUB_PATHS);
  expect(Object.keys(exports).sort()).toEqual([".", "./package.json", ...SUB_PATHS.map((path) => `./${path}`)].sort());
});

describe.each(["index.d.ts", "index.d.cts"])("%s", (file) => {
  const { checker, exports } = readDeclarations(join(DIST, file));

  test("every exported value has a declaration, and every declared one is there", async () => {
    const main = await imported("index");
    const declared = [...exports].filter(([, symbol]) => resolved(checker, symbol).flags & ts.SymbolFlags.Value);
    expect(declared.map(([name]) => name).sort()).toEqual(Object.keys(main).sort());
  });

  test.each(Object.entries(seed.types))("%s", (name, { members }) => {
    const symbol = exports.get(name);
    if (!symbol) throw new Error(`${file} does not declare ${name}.`);
    const type = checker.getDeclaredTypeOfSymbol(resolved(checker, symbol));
    for (const member of members) {
      const property = type.getProperty(member.replace("?", ""));
      expect(property, `${name}.${member}`).toBeDefined();
      const isOptional = ((property?.flags ?? 0) & ts.SymbolFlags.Optional) !== 0;
      expect(isOptional, `${name}.${member} optional`).toBe(member.endsWith("?"));
    }
    // What the guide does not know must not be asked of a caller, nor of an implementer.
    const isMadeByCallers = /Opts$|Client$|Hook$|Attachment$|^StreamChunk$|^ToolMetadata$/.test(name);
    if (!isMadeByCallers || type.isClass()) return;
    const needed = type.getProperties().filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
    expect(needed.map((property) => property.name).sort()).toEqual(
      members.filter((member) => !member.endsWith("?")).sort(),
    );
  });

  test("FileLogHook has the static loadState (11.3)", () => {
    const symbol = exports.get("FileLogHook");
    expect(symbol && resolved(checker, symbol).exports?.has("loadState" as ts.__String)).toBe(true);
  });
});

test("the variables are in the built code; those of chapters not built yet are not", () => {
  const text = readdirSync(DIST)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(DIST, name), "utf8"))
    .join("\n");
  expect(seed.variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  expect(seed.variablesNotYet.filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

function readDeclarations(file: string): { checker: ts.TypeChecker; exports: Map<string, ts.Symbol> } {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is missing: dist was built with --no-types. Run \`node scripts/build.mjs\`.`);
  return { checker, exports: new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol])) };
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
