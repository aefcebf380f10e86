/** What the end of a turn waits for: its hooks, for a short while after an interrupt, and a snapshot in any case. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CompositeHook } from "../../src/hooks/CompositeHook";
import { VcsHook } from "../../src/hooks/VcsHook";
import type { EngineHook } from "../../src/shared/EngineHook";
import { resolveVcsPlan } from "../../src/vcs/plan";
import { SessionVcs } from "../../src/vcs/SessionVcs";
import { drain, traceOf } from "../support/drain";
import { createBench } from "../vcs/repository";
import { engineWith } from "./engineUnderTest";

const never = () => new Promise<void>(() => {});

/** Hears the notices beside the hook. */
function withNotices(hook: EngineHook) {
  const notices: unknown[] = [];
  const listener: EngineHook = { onEvent: (type, data) => type === "notice" && notices.push(data["text"]) };
  return { notices, hook: new CompositeHook([hook, listener]) };
}

/** Interrupts as soon as the tool has begun; the milliseconds from there to the end of the turn. */
async function interrupted(hook: EngineHook, tool: (signal?: AbortSignal) => Promise<unknown>) {
  let at = 0;
  const { engine } = engineWith([{ calls: [{ name: "slow" }] }, { text: "no" }], {
    hook,
    tools: {
      slow: [
        "write",
        (_args, ctx) => {
          at = performance.now();
          engine.requestInterrupt();
          return tool(ctx?.signal);
        },
      ],
    },
  });
  const events = await drain(engine.run("go"));
  return { events, ms: performance.now() - at };
}

test.each<[string, () => Promise<unknown>]>([
  ["that ends at once", async () => "done"],
  ["that never ends", never],
])("a hook that hangs holds up an interrupted turn for three seconds at most: after a tool %s", async (_name, tool) => {
  const { notices, hook } = withNotices({ settle: (next) => (next === "end" ? never() : Promise.resolve()) });
  const { events, ms } = await interrupted(hook, tool);
  expect(traceOf(events).at(-1)).toBe("turn_end interrupted");
  expect(ms).toBeGreaterThan(2_900);
  expect(ms).toBeLessThan(3_900);
  expect(notices).toEqual([expect.stringContaining("did not settle before the end of the turn")]);
});

test("an interrupt cuts the wait short that has begun at the end of a turn", async () => {
  let ends = (_at: number): void => {};
  const atEnd = new Promise<number>((resolve) => {
    ends = resolve;
  });
  const hook: EngineHook = {
    settle: () => {
      ends(performance.now());
      return never();
    },
  };
  const { engine } = engineWith([{ text: "Done." }], { hook });
  const turn = drain(engine.run("go"));
  const began = await atEnd;
  engine.requestInterrupt();
  expect(traceOf(await turn).at(-1)).toBe("turn_end completed");
  expect(performance.now() - began).toBeLessThan(3_900);
});

test("what must be saved is waited for, also where that takes longer than an interrupt gives", async () => {
  const heard: string[] = [];
  const { notices, hook } = withNotices({
    saved: () => new Promise((resolve) => setTimeout(resolve, 3_600)).then(() => void heard.push("saved")),
  });
  const { events, ms } = await interrupted(hook, async () => "done");
  expect(heard).toEqual(["saved"]);
  expect(ms).toBeGreaterThan(3_500);
  expect(traceOf(events).at(-1)).toBe("turn_end interrupted");
  expect(notices).toEqual([]);
});

test("the snapshot of an interrupted turn is there when the turn ends", async () => {
  const bench = createBench();
  const home = process.env.HOME;
  process.env.HOME = bench.env.HOME;
  onTestFinished(() => {
    process.env.HOME = home;
    bench.dispose();
  });
  bench.sh("git init -q -b main && echo one > a.txt && git add -A && git commit -qm init");
  const plan = resolveVcsPlan(bench.root, { mode: "auto" });
  const { hook, notices } = withNotices(new VcsHook(new SessionVcs(plan, "s1"), { startsAtFirstChange: true }));
  const { events } = await interrupted(hook, async () => {
    writeFileSync(join(bench.root, "a.txt"), "two\n");
    return "done";
  });
  expect(traceOf(events).at(-1)).toBe("turn_end interrupted");
  expect(notices).toEqual([]);
  // Another process sees it: this host may be gone by now.
  expect(await new SessionVcs(plan, "s1").listTurns()).toMatchObject([{ status: "interrupted", files: ["a.txt"] }]);
});
