/** The guide's code blocks as programs of our own, on the packed tarball, under the guide's own package name. */
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { addNodeTypes } from "../package/packed";
import { blocks } from "./blocks";
import { performances } from "./performances";
import { installPrograms, perform, programNames } from "./programRun";

let folder: string;
beforeAll(async () => {
  folder = await installPrograms();
});

test("every block of the guide has a program, or a reason why none can run", () => {
  const named = new Set(blocks.flatMap(({ program }) => program ?? []));
  expect([...named].sort()).toEqual([...programNames].sort());
  expect(Object.keys(performances).sort()).toEqual([...programNames].sort());
  for (const { section, program, elsewhere, notYet } of blocks) {
    expect([program, elsewhere, notYet].filter((answer) => answer !== undefined).length, section).toBe(1);
  }
  expect(new Set(blocks.map(({ section }) => section)).size).toBe(blocks.length);
});

describe.each(programNames)("%s", (name) => {
  test.each(["mjs", "cjs"] as const)("as %s", async (form) => {
    const performance = performances[name];
    if (!performance) throw new Error(`There is no performance of ${name}.`);
    const { lines, requests } = await perform(folder, { name, form }, performance);
    expect(lines).toEqual(
      performance.prints.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
    );
    performance.asked?.(requests);
  });
});

test("the programs compile with the options that the guide recommends (3.3)", () => {
  addNodeTypes(folder);
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    esModuleInterop: true,
    skipLibCheck: true,
    // The programs are JavaScript with its types in comments.
    ...{ allowJs: true, checkJs: true, noEmit: true, types: ["node"] },
    typeRoots: [join(folder, "node_modules", "@types")],
  };
  const program = ts.createProgram(
    programNames.map((name) => join(folder, `${name}.mjs`)),
    options,
  );
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.split("/").at(-1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(found).toEqual([]);
});
