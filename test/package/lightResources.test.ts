/** The resources of the openai package that the build leaves empty have the names of the real ones, so that nothing is missed. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeEmpty } from "../../scripts/lightResources.mjs";

const resources = join(dirname(createRequire(import.meta.url).resolve("openai")), "resources");
const modules = readdirSync(resources, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".mjs"));

test("each module exports what it did", async () => {
  expect(modules.length).toBeGreaterThan(50);
  for (const path of modules) {
    const made = makeEmpty(readFileSync(join(resources, path), "utf8"));
    if (!made.startsWith("export class")) continue;
    const names = [...made.matchAll(/export class (\w+)/g)].map(([, name]) => name);
    const real = (await import(pathToFileURL(join(resources, path)).href)) as object;
    expect(names.sort(), path).toEqual(Object.keys(real).sort());
  }
});

test("what only hands names on stays as it is", () => {
  const source = 'export * from "./chat/index.mjs";\nexport { Files } from "./files.mjs";\n';
  expect(makeEmpty(source)).toBe(source);
});
