import { describe, expect, test } from "vitest";
import { errorCause, errorSentence } from "../../src/shared/errorSentence";
import { textsFor } from "../../src/shared/locales";

const { errors } = textsFor("en");
const noon = new Date(2026, 11, 1, 11, 5);
const HOUR = 3_600_000;

describe("a failure is told in one to three lines", () => {
  test("what happened, what to do, what the endpoint said", () => {
    const facts = { error_type: "auth", error: "The endpoint refused the API key (401): bad key", detail: "bad key" };
    expect(errorSentence(errors, facts).split("\n")).toEqual([
      "The endpoint refused the API key.",
      "Check OPENAI_API_KEY, and that it belongs to the endpoint (OPENAI_BASE_URL).",
      "bad key",
    ]);
  });

  test.each([
    [3 * HOUR, "Try again at 14:05, in 3 h;"],
    [90_000, "Try again at 11:06, in 2 min"],
    [45_000, "Try again at 11:05, in 45 s;"],
    [14 * HOUR, "Try again at 2026-12-02 01:05, in 14 h;"],
    [72 * HOUR, "Try again at 2026-12-04 11:05, in 3 d;"],
    [1.5 * HOUR, "Try again at 12:35, in 1.5 h;"],
  ])("a wait of %i ms has its time", (retryAfterMs, line) => {
    const facts = { error_type: "rate_limit", retryAfterMs, detail: "" };
    expect(errorSentence(errors, facts, noon).split("\n")[1]).toContain(line);
  });

  test("without words of the endpoint our own stand in, unless they say the same", () => {
    expect(errorSentence(errors, { error_type: "network", error: "No reply from http://h." })).toContain("http://h.");
    expect(errorSentence(errors, { error_type: "empty_response", error: "Nothing." })).not.toContain("Nothing.");
  });

  test("a class that nobody knows, or that looks like another key, is just an error", () => {
    for (const error_type of ["Wat", "tryAgainAt", "toString", ""]) {
      expect(errorSentence(errors, { error_type, error: "boom" })).toMatch(
        /^The turn ended with an error\.\n.*\nboom$/,
      );
    }
  });

  test("the endpoint's words are one line of bearable length", () => {
    const lines = errorSentence(errors, { error_type: "server", detail: `a\n\nb ${"x".repeat(9_000)}` }).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[2]?.length).toBeLessThan(450);
  });

  test("the cause alone", () => {
    expect(errorCause(errors, { error_type: "overloaded" })).toBe(
      "The endpoint is overloaded, or its model is still loading.",
    );
  });
});
