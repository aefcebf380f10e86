/** Waits as servers state them: headers of budgets, points in time, and sentences in several languages. */
import { describe, expect, test } from "vitest";
import { classify } from "../../src/providers/classify";
import { parseErrorBody } from "../../src/providers/errorBody";
import { budgetDelay, type HeaderMap, statedDelay } from "../../src/providers/retryDelay";
import { readWait, readWaitIn } from "../../src/providers/waits";

const NOW = Date.parse("2026-12-01T11:00:00Z");
const NOW_S = NOW / 1_000;
const HOUR = 3_600_000;

describe("a value", () => {
  test.each<[string, number | undefined]>([
    ["6m0s", 360_000],
    ["1s", 1_000],
    ["120ms", 120],
    ["1h2m3.5s", HOUR + 123_500],
    ["2 seconds", 2_000],
    ["59.7", 59_700],
    ["0", 0],
    [`${NOW_S + 30}`, 30_000],
    [`${NOW + 30_000}`, 30_000],
    ["2026-12-01T12:00:00Z", HOUR],
    ["Tue, 01 Dec 2026 11:00:20 GMT", 20_000],
    // No waits: gone by, beyond every budget, or no time at all.
    ["-5", undefined],
    ["NaN", undefined],
    ["", undefined],
    ["soon", undefined],
    ["1e400", undefined],
    ["2026-12-01T10:59:00Z", undefined],
    [`${NOW_S - 30}`, undefined],
    ["9999999999", undefined],
    ["99999999", undefined],
    ["400d", undefined],
    ["2099-01-01T00:00:00Z", undefined],
  ])("%j", (text, wanted) => {
    expect(readWait(text, NOW)).toBe(wanted);
  });
});

describe("a sentence", () => {
  test.each<[string, number | undefined]>([
    ["Please try again in 6m0s.", 360_000],
    ["Limit reached, reset at 2026-12-01T12:00:00Z.", HOUR],
    ["Your quota resets at 2026-12-01 12:00:00.250 UTC", HOUR + 250],
    ["Blocked until 2026-12-01T20:00:00+08:00", HOUR],
    ["Please try again at 14:05 UTC.", 3 * HOUR + 300_000],
    ["try again at 2:05 PM UTC", 3 * HOUR + 300_000],
    ["Try again at 22:05 (UTC+8).", 3 * HOUR + 300_000],
    ["Try again at 22:05 UTC+08:00", 3 * HOUR + 300_000],
    ["Try again after 09:30 GMT", 22.5 * HOUR],
    ["Retry after Tue, 01 Dec 2026 11:00:20 GMT", 20_000],
    ["try again at Dec 1st, 2026 12:00 PM UTC", HOUR],
    ["Rate limit exceeded. Reset at: 1796126400", Number(1_796_126_400) * 1_000 - NOW],
    ["请求过于频繁,请在 30 秒后重试", 30_000],
    ["请等待 1 分钟 30 秒", 90_000],
    ["您已达到使用上限,将在 1小时5分钟 后重置", HOUR + 300_000],
    ["限额将在 2026-12-01 20:00:00 +08:00 重置", HOUR],
    ["請於 20 秒鐘之後再試", 20_000],
    ["重置时间:2026-12-01T12:00:00Z", HOUR],
    ["レート制限に達しました。5分30秒後に再試行してください。", 330_000],
    ["30秒ほどお待ちください。", 30_000],
    ["あと2時間で制限が解除されます。", 2 * HOUR],
    ["2026-12-01T12:00:00Z に制限がリセットされます", HOUR],
    ["10초 후에 다시 시도하세요.", 10_000],
    // Measures, dates, clocks of nobody and points gone by are no waits.
    ["每60秒内请求过多,请稍后再试", undefined],
    ["1分あたり60リクエストまでです。後でお試しください。", undefined],
    ["12月1日に再試行してください", undefined],
    ["try again at 14:05", undefined],
    ["resets at 2026-12-01 12:00:00", undefined],
    ["reset at 2026-12-01T10:00:00Z", undefined],
    ["reset at 2099-12-01T10:00:00Z", undefined],
    ["Limited to 20 requests per 60 seconds.", undefined],
  ])("%j", (text, wanted) => {
    expect(readWaitIn(text, NOW)).toBe(wanted);
  });
});

describe("budgets in headers", () => {
  test.each<[string, HeaderMap, number | undefined]>([
    ["requests", { "x-ratelimit-reset-requests": "6m0s" }, 360_000],
    ["tokens", { "x-ratelimit-reset-tokens": "120ms", "x-ratelimit-remaining-tokens": "0" }, 120],
    [
      "only the one that is used up",
      {
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-tokens": "7.66s",
        "x-ratelimit-remaining-tokens": "0",
      },
      7_660,
    ],
    ["the last of two", { "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "9s" }, 9_000],
    ["something left", { "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "149984" }, undefined],
    ["the draft", { "ratelimit-limit": "10", "ratelimit-remaining": "0", "ratelimit-reset": "50" }, 50_000],
    ["the draft in one", { ratelimit: "limit=100, remaining=0, reset=50" }, 50_000],
    ["the newer draft in one", { ratelimit: '"burst";r=0;t=5, "daily";r=50;t=3600' }, 5_000],
    ["a policy alone", { "ratelimit-policy": "100;w=60", "x-ratelimit-limit": "100" }, undefined],
    ["seconds since 1970", { "x-ratelimit-reset": `${NOW_S + 12}` }, 12_000],
    ["milliseconds since 1970", { "X-RateLimit-Reset": `${NOW + 12_000}`, "X-RateLimit-Remaining": "0" }, 12_000],
    ["a name in front", { "vendor-ratelimit-tokens-reset": "2026-12-01T11:00:09Z" }, 9_000],
    ["gone by", { "x-ratelimit-reset": `${NOW_S - 12}` }, undefined],
    ["not a time", { "x-ratelimit-reset": "never" }, undefined],
  ])("%s", (_name, headers, wanted) => {
    expect(budgetDelay(headers, NOW)).toBe(wanted);
  });

  const limited = { "x-ratelimit-reset-requests": "20s", "x-ratelimit-remaining-requests": "0" };
  const verdictOf = (status: number, message: string, headers: HeaderMap = limited) =>
    classify({ status, headers, words: parseErrorBody(JSON.stringify({ error: { message } })) });

  test.each([
    [429, "Too many requests", 20_000],
    [503, "Service unavailable", 20_000],
    [400, "Unknown parameter: 'foo'", undefined],
    [401, "Invalid API key", undefined],
    [500, "Internal error", undefined],
  ])("count on a refusal about limits alone: %i", (status, message, wanted) => {
    expect(verdictOf(status, message).retryAfterMs).toBe(wanted);
  });

  test("stand behind every wait that was stated", () => {
    expect(verdictOf(429, "Slow down", { ...limited, "retry-after": "3" }).retryAfterMs).toBe(3_000);
    expect(verdictOf(429, "Slow down", { ...limited, "retry-after-ms": "1500", "retry-after": "3" }).retryAfterMs).toBe(
      1_500,
    );
    expect(verdictOf(429, "Try again in 4s", limited).retryAfterMs).toBe(4_000);
    expect(verdictOf(429, "Slow down", { ...limited, "retry-after": "-1" }).retryAfterMs).toBe(20_000);
  });

  test("never make a spent account a limit that time cures", () => {
    expect(verdictOf(429, "You exceeded your current quota, check your plan and billing")).toMatchObject({
      errorType: "quota",
      retriable: false,
    });
  });

  test("are read where a gateway quotes them in the body", () => {
    const headers = { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": 45 };
    const body = JSON.stringify({ error: { message: "Rate limit exceeded", code: 429, metadata: { headers } } });
    expect(classify({ status: 429, words: parseErrorBody(body) }).retryAfterMs).toBe(45_000);
  });
});

test.each([
  [{ retry_after: 2.5 }, 2_500],
  [{ resets_in_seconds: "40" }, 40_000],
  [{ resets_at: NOW_S + 60 }, 60_000],
  [{ details: [{ retryDelay: "32.5s" }] }, 32_500],
  [{ resets_at: NOW_S - 60 }, undefined],
])("a body that states it as data: %j", (fields, wanted) => {
  const words = parseErrorBody(JSON.stringify({ error: { message: "Too many requests", ...fields } }));
  expect(statedDelay({}, words, NOW)).toBe(wanted);
});
