import { describe, expect, test } from "vitest";
import { costOf, Spending } from "../../src/sessions/Spending";
import { resolveModel } from "../../src/shared/models";

const PRICED = "gpt-4.1";
const price = resolveModel(PRICED).price ?? { input: Number.NaN, output: Number.NaN };

describe("what a session has used", () => {
  test("adds up, with its cost where the price is known", () => {
    const spending = new Spending();
    spending.add({ input: 1_000_000, output: 0 }, PRICED);
    spending.add({ input: 0, output: 1_000_000 }, PRICED);
    expect(spending.total).toMatchObject({ input: 1_000_000, output: 1_000_000, estimated: false });
    expect(spending.total.cost).toBeCloseTo(price.input + price.output);
  });

  test("cached input costs what the table says of it", () => {
    const all = costOf({ input: 1_000_000, output: 0 }, PRICED) ?? 0;
    const cached = costOf({ input: 1_000_000, output: 0, cached: 1_000_000 }, PRICED) ?? 0;
    expect(cached).toBeLessThan(all);
  });

  test("names no cost once a price is not known, also not of the rest", () => {
    const spending = new Spending();
    spending.add({ input: 1_000, output: 10 }, PRICED);
    spending.add({ input: 1_000, output: 10 }, "my-own-model");
    expect(spending.total).toEqual({ input: 2_000, output: 20, estimated: false });
  });

  test("an estimate is marked as one", () => {
    const spending = new Spending();
    spending.add({ input: 5, output: 5, estimated: true }, "m");
    spending.add({ input: 5, output: 5 }, "m");
    spending.add(undefined, "m");
    expect(spending.total).toEqual({ input: 10, output: 10, estimated: true });
  });
});
