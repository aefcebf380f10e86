/** Paths that a model gives, made into files that a tool may touch. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingFileText, resolveTarget } from "../../src/tools/targets";
import { createBench, type EditBench } from "./edit/support";

let bench: EditBench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

const resolve = (path: unknown, forWriting = true) => resolveTarget(bench.roots, path, { forWriting });

describe("resolveTarget", () => {
  it("shows a path relative to the workspace, however it came", () => {
    mkdirSync(bench.path("a"));
    for (const path of ["a/f", "./a//f", bench.path("a/f"), "a/../a/f"]) {
      expect(resolve(path)).toMatchObject({ shown: "a/f", realPath: bench.path("a/f") });
    }
  });

  it("leaves through a link with `..` as the kernel would", () => {
    mkdirSync(join(bench.outer, "out/d"), { recursive: true });
    symlinkSync(join(bench.outer, "out/d"), bench.path("l"));
    expect(() => resolve("l/../x")).toThrow(/outside the workspace/);
    expect(() => resolve("l/x")).toThrow(/outside the workspace/);
    mkdirSync(bench.path("in/d"), { recursive: true });
    symlinkSync("in/d", bench.path("k"));
    expect(resolve("k/../x").realPath).toBe(bench.path("in/x"));
  });

  it.each([["../x"], ["/etc/passwd"], ["~/x"], [join(homedir(), "x")]])("refuses %s with a way out", (path) => {
    expect(() => resolve(path)).toThrow(
      `Path is outside the workspace: ${path}. Use request_directory to ask for access.`,
    );
    expect(() => resolve(path, false)).toThrow(/outside the workspace/);
  });

  it.each([[undefined], [""], ["  "], ["a\0b"], [7], ["d/"]])("refuses %j", (path) => {
    expect(() => resolve(path)).toThrow(/path|directory/);
  });
});

describe("missingFileText", () => {
  it("names up to three files of the same name, else of the same stem", async () => {
    for (const folder of ["a", "b", "c", "d", "node_modules/x"]) {
      mkdirSync(bench.path(folder), { recursive: true });
      writeFileSync(bench.path(`${folder}/utils.ts`), "");
    }
    writeFileSync(bench.path("a/other.js"), "");
    expect(await missingFileText(bench.roots, "src/utils.ts")).toBe(
      "File not found: src/utils.ts. Did you mean a/utils.ts, b/utils.ts or c/utils.ts?",
    );
    expect(await missingFileText(bench.roots, "src\\other.ts")).toMatch(/Did you mean a\/other\.js\?$/);
    expect(await missingFileText(bench.roots, "nowhere.ts")).toBe("File not found: nowhere.ts.");
  });
});
