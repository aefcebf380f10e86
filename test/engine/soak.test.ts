import { describe, expect, test } from "vitest";
import { soak } from "../support/soak";

/** The long form is `npm run bench soak`: 1,000 turns, and the heap is looked at. */
describe("a hundred turns over a failing wire", () => {
  test.each([1, 20_261_201])(
    "from seed %i: nothing hangs, breaks the history or stays behind",
    async (seed) => {
      const report = await soak({ turns: 100, seed });
      expect(report).toMatchObject({ turns: 100, hangs: 0, refusedHistories: [], leaked: [] });
      expect(report.ends["completed"]).toBeGreaterThan(40);
      expect(Object.keys(report.ends).sort()).toEqual(expect.arrayContaining(["completed", "interrupted"]));
    },
    120_000,
  );
});
