import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simplifySchema, withObjectRoot } from "../../src/providers/toolSchemas";
import type { JsonSchema } from "../../src/shared/contracts";

const property = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { a: schema } });

describe("simplifySchema", () => {
  test.each([
    ["nothing at all", {}, { type: "object", properties: {} }],
    [
      "a union at the root",
      {
        oneOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: { type: "number" } } }],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } },
    ],
    [
      "all of several at the root",
      {
        allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { $ref: "#/$defs/B" }],
        $defs: { B: { properties: { b: { type: "number" } } } },
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] },
    ],
    [
      "a reference with words beside it",
      {
        ...property({ $ref: "#/definitions/A", description: "d" }),
        definitions: { A: { type: "integer", description: "x" } },
      },
      property({ description: "d", type: "integer" }),
    ],
    ["a list of types", property({ type: ["null", "integer"] }), property({ type: "integer" })],
    ["a property without a type", property({ description: "d" }), property({ description: "d", type: "string" })],
    ["a type that shows elsewhere", property({ enum: ["a", "b"] }), property({ enum: ["a", "b"], type: "string" })],
    ["values other than text", property({ enum: [1, 2] }), property({ description: "One of: 1, 2.", type: "number" })],
    ["a constant", property({ const: true }), property({ description: "One of: true.", type: "boolean" })],
    ["a list of anything", property({ type: "array" }), property({ type: "array", items: { type: "string" } })],
    [
      "a type beside its branches",
      property({ type: "array", oneOf: [{ items: { type: "string" } }, { minItems: 2 }] }),
      property({
        anyOf: [
          { items: { type: "string" }, type: "array" },
          { minItems: 2, type: "array", items: { type: "string" } },
        ],
      }),
    ],
    [
      "finer keywords",
      property({ type: "string", format: "uri", pattern: "^x", default: "x", examples: ["x"] }),
      property({ type: "string" }),
    ],
  ] as [string, JsonSchema, JsonSchema][])("%s", (_, schema, wanted) => {
    expect(simplifySchema(schema)).toEqual(wanted);
  });

  test("references in a circle end", () => {
    const circle = {
      ...property({ $ref: "#/$defs/A" }),
      $defs: { A: { type: "object", properties: { next: { $ref: "#/$defs/A" } } } },
    };
    expect(JSON.stringify(simplifySchema(circle))).not.toContain("$ref");
    expect(simplifySchema({ ...property({ $ref: "#/$defs/A" }), $defs: { A: { $ref: "#/$defs/A" } } })).toMatchObject({
      type: "object",
    });
  });

  const leaf: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
    {},
    { type: "string" },
    { type: ["integer", "null"] },
    { enum: ["x"] },
    { $ref: "#/$defs/A" },
    { description: "d" },
  );
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.dictionary(fc.constantFrom("a", "b"), tie("schema")).map((properties) => ({ type: "object", properties })),
      tie("schema").map((items) => ({ type: "array", items })),
      fc
        .record({
          keyword: fc.constantFrom("anyOf", "oneOf", "allOf"),
          branches: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          type: fc.constantFrom(undefined, "string", "object"),
        })
        .map(({ keyword, branches, type }) => ({ [keyword]: branches, ...(type ? { type } : {}) })),
    ),
  }));

  test("whatever came in: an object at the root, one type or a union everywhere, nothing that refers", () => {
    fc.assert(
      fc.property(schema, (given) => {
        const simple = simplifySchema({ ...given, $defs: { A: { type: "integer" } } });
        expect(simple).toMatchObject({ type: "object", properties: expect.any(Object) });
        for (const keyword of ["anyOf", "oneOf", "allOf", "enum"]) expect(simple).not.toHaveProperty(keyword);
        for (const node of nodesBelow(simple)) {
          expect(node.type === undefined).toBe(Array.isArray(node.anyOf));
          expect(Array.isArray(node.type)).toBe(false);
        }
        expect(JSON.stringify(simple)).not.toMatch(/\$ref|\$defs|oneOf|allOf/);
      }),
    );
  });
});

test("withObjectRoot leaves a good schema as it is", () => {
  const good = property({ type: "string" });
  expect(withObjectRoot(good)).toBe(good);
  expect(withObjectRoot(undefined)).toEqual({ type: "object", properties: {} });
});

function nodesBelow(schema: JsonSchema): JsonSchema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...((schema.anyOf as JsonSchema[] | undefined) ?? []),
  ];
  return inner.flatMap((node) => [node, ...nodesBelow(node)]);
}
