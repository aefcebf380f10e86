/** The `Headers` that the build gives the openai package does what the real one does, for all that the package asks of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HEADERS, makeLight } from "../../scripts/lightHeaders.mjs";

type Build = (headers: unknown[]) => { values: Headers; nulls: Set<string> };

const folder = mkdtempSync(join(tmpdir(), "zqagent-headers-"));
const path = join(dirname(createRequire(import.meta.url).resolve("openai")), "internal", "headers.mjs");
const source = readFileSync(path, "utf8");
let light: Build;
let real: Build;

beforeAll(async () => {
  const file = join(folder, "headers.mjs");
  const values = pathToFileURL(join(dirname(path), "utils", "values.mjs")).href;
  writeFileSync(join(folder, "light.mjs"), HEADERS);
  const made = makeLight(source, path).replace('"light-headers"', '"./light.mjs"');
  writeFileSync(file, made.replace('"./utils/values.mjs"', JSON.stringify(values)));
  light = ((await import(pathToFileURL(file).href)) as { buildHeaders: Build }).buildHeaders;
  real = ((await import(pathToFileURL(path).href)) as { buildHeaders: Build }).buildHeaders;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The types of Node 20 do not say that headers can be walked through. */
const listed = (values: Headers) => values as unknown as Map<string, string>;

const outcome = (build: Build, layers: unknown[]) => {
  try {
    const { values, nulls } = build(layers);
    return { entries: [...listed(values)], keys: [...listed(values).keys()], nulls: [...nulls] };
  } catch (error) {
    return (error as Error).name;
  }
};

describe("headers built by the openai package", () => {
  test.each([
    [[{ Accept: "application/json", "X-Title": "zqagent" }]],
    [[{ a: "1" }, { A: "2" }, { a: null }]],
    [[{ a: ["1", "2"] }]],
    [[{ "bad name": "1" }]],
    [[{ a: "line\nbreak" }]],
    [[{ a: "  padded\t" }]],
    [[{ a: "größe" }]],
    [[{ a: "漢" }]],
    [[undefined, { a: undefined }, [["b", "1"]]]],
  ])("%j", (layers) => {
    expect(outcome(light, layers)).toEqual(outcome(real, layers));
  });

  test("whatever they are made of", () => {
    const name = fc.constantFrom("a", "A", "b-c", "Content-Type", "x_y");
    const value = fc.oneof(fc.string({ maxLength: 6 }), fc.constant(null), fc.array(fc.string({ maxLength: 3 })));
    const layer = fc.dictionary(name, value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 4 }), (layers) => {
        expect(outcome(light, layers)).toEqual(outcome(real, layers));
      }),
    );
  });

  test("one built before is taken up again, and can be asked", () => {
    const first = light([{ Authorization: "Bearer x" }]);
    const { values } = light([first, { b: "1" }]);
    expect(values.get("AUTHORIZATION")).toBe("Bearer x");
    expect(values.has("c")).toBe(false);
    expect(Object.fromEntries(listed(values))).toEqual({
      authorization: "Bearer x",
      b: "1",
    });
  });

  test("a source that looks different is refused", () => {
    expect(() => makeLight("export const buildHeaders = () => ({});", "headers.mjs")).toThrow(/looked at again/);
  });
});
