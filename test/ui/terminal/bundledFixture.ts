/** Bundles a fixture program written in TypeScript, so that plain Node can run it in a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll, beforeAll } from "vitest";

/** Builds before the tests of this file and cleans up after them; the function gives the program's path. */
export function bundleFixture(source: string): () => string {
  let outDir = "";
  beforeAll(async () => {
    outDir = mkdtempSync(join(tmpdir(), "zqagent-fixture-"));
    writeFileSync(join(outDir, "package.json"), '{ "type": "module" }');
    const shape = { format: ["esm" as const], platform: "node" as const, target: "node20", noExternal: [/.*/] };
    await build({ config: false, entry: { fixture: source }, outDir, silent: true, dts: false, ...shape });
  });
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  return () => join(outDir, "fixture.js");
}
