/** Bundles a fixture program written in TypeScript, so that plain Node can run it in a pseudo-terminal. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll } from "vitest";

/** The path of the bundled program; it is removed with the test file's end. It lies in the project so that packages are found. */
export async function buildFixture(source: string): Promise<string> {
  const outDir = mkdtempSync(join(process.cwd(), "node_modules/.fixture-"));
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    config: false,
    entry: { fixture: source },
    outDir,
    format: ["esm"],
    platform: "node",
    target: "node20",
    silent: true,
    dts: false,
  });
  return join(outDir, "fixture.js");
}
