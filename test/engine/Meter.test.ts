import { describe, expect, it } from "vitest";
import { History } from "../../src/engine/History";
import { HookRelay } from "../../src/engine/HookRelay";
import { Meter, type MeterOptions } from "../../src/engine/Meter";
import { windowNamedIn } from "../../src/engine/overflow";

const history = () => new History([{ role: "user", content: "hello there" }], "system", new HookRelay());
const meter = (options: MeterOptions, model = "house-model") => new Meter(history(), options, () => model);

describe("thresholds", () => {
  const rows: [string, string, MeterOptions, { hard: number; soft: number }][] = [
    ["80 % and 60 % of an assumed window", "house-model", {}, { hard: 102_400, soft: 76_800 }],
    [
      "the guide's example with a cap",
      "house-model",
      { contextWindow: 200_000, thresholdPct: 0.85, softThresholdPct: 0.7, capTokens: 120_000 },
      { hard: 120_000, soft: 98_823 },
    ],
    ["never above what is usable", "house-model", { contextWindow: 16_000 }, { hard: 10_000, soft: 7_500 }],
    ["a limit of the prompt apart from the window", "gpt-5", {}, { hard: 270_000, soft: 202_500 }],
    [
      "a soft threshold above the hard one is the hard one",
      "house-model",
      { contextWindow: 100_000, thresholdPct: 0.5, softThresholdPct: 0.9 },
      { hard: 50_000, soft: 50_000 },
    ],
    ["a tiny window keeps a threshold", "house-model", { contextWindow: 2_000 }, { hard: 750, soft: 562 }],
  ];
  it.each(rows)("%s", (_, model, options, wanted) => expect(meter(options, model).thresholds()).toMatchObject(wanted));
});

describe("counting", () => {
  it("goes by the endpoint's report and estimates only what came after", () => {
    const talk = history();
    const counted = new Meter(talk, {}, () => "m");
    const before = counted.count([]).tokens;
    talk.append({ role: "assistant", content: "answer" });
    counted.noteReply({ input: 5_000, output: 100 }, before);
    expect(counted.count([])).toEqual({ tokens: 5_100, estimated: false });
    talk.append({ role: "user", content: "more" });
    expect(counted.count([]).tokens).toBeGreaterThan(5_100);
    talk.change([[1, { role: "user", content: "changed" }]]);
    expect(counted.count([]).tokens).toBeLessThan(200);
  });

  it("learns how far its estimate is off, within bounds", () => {
    const counted = meter({});
    counted.noteReply({ input: 1_500, output: 1 }, 1_000);
    expect(counted.factor).toBe(1.5);
    counted.noteReply({ input: 90_000, output: 1 }, 1_000);
    expect(counted.factor).toBeCloseTo(1.65);
  });

  it.each([
    [null],
    [{ input: Number.NaN, output: 1 }],
    [{ input: -1, output: 1 }],
    [{ input: 3, output: 1 }],
    [{ input: 900, output: 1, estimated: true }],
  ])("does not believe %j", (usage) => {
    const counted = meter({});
    expect(counted.noteReply(usage, 1_000)).toBeNull();
    expect(counted.count([]).estimated).toBe(true);
    expect(counted.factor).toBe(1);
  });
});

describe("a window learned from a refusal", () => {
  it("holds for the session, unless the endpoint has shown a larger one", () => {
    const counted = meter({});
    counted.learnWindow(40_000);
    expect(counted.contextWindow).toBe(40_000);
    expect(counted.isWindowAssumed).toBe(false);
    counted.noteReply({ input: 30_000, output: 1 }, 30_000);
    counted.learnWindow(2_048);
    expect(counted.contextWindow).toBe(40_000);
  });
});

describe("the window named in a refusal", () => {
  it.each([
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, 2000 in the completion).",
      8_192,
    ],
    ["prompt token count of 140000 exceeds the limit of 128000", 128_000],
    ["Range of input length should be [1, 98304]", 98_304],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).", 1_048_575],
    ["request (60,179 tokens) exceeds the available context size (32,768 tokens)", 32_768],
    ["Your request exceeded model token limit: 262144 (requested: 300120)", 262_144],
    ["the model is loaded with context length of only 4096 tokens", 4_096],
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    ["Input too long: 250000 input tokens, limit is 200000", 200_000],
    ["the window of this model is 128k", 128_000],
    ["Please reduce the length of the messages.", null],
    ["400 maximum retries", null],
  ])("%s", (message, wanted) => expect(windowNamedIn(message)).toBe(wanted));
});
