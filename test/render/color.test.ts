import { describe, expect, it } from "vitest";
import { type ColorSituation, createPaint, forceColorValue, type Role, resolveColor } from "../../src/render/color";

describe("whether there is colour", () => {
  it.each<[string, ColorSituation, boolean]>([
    ["a terminal", { env: {}, isTty: true }, true],
    ["no terminal", { env: {}, isTty: false }, false],
    ["TERM=dumb", { env: { TERM: "dumb" }, isTty: true }, false],
    ["NO_COLOR", { env: { NO_COLOR: "1" }, isTty: true }, false],
    ["an empty NO_COLOR counts as unset", { env: { NO_COLOR: "" }, isTty: true }, true],
    ["NO_COLOR before FORCE_COLOR", { env: { NO_COLOR: "1", FORCE_COLOR: "1" }, isTty: true }, false],
    ["FORCE_COLOR into a pipe", { env: { FORCE_COLOR: "" }, isTty: false }, true],
    ["FORCE_COLOR=0", { env: { FORCE_COLOR: "0" }, isTty: true }, false],
    ["the flag before all", { flag: "always", env: { NO_COLOR: "1", TERM: "dumb" }, isTty: false }, true],
    ["never", { flag: "never", env: { FORCE_COLOR: "1" }, isTty: true }, false],
  ])("%s", (_, situation, expected) => expect(resolveColor(situation)).toBe(expected));

  it("is told to libraries in their own words", () => {
    expect([forceColorValue(true), forceColorValue(false)]).toEqual(["1", "0"]);
  });
});

describe("painting", () => {
  const roles: Role[] = [
    "accent",
    "dim",
    "good",
    "bad",
    "warn",
    "info",
    "strong",
    "heading",
    "code",
    "link",
    "comment",
    "added",
    "removed",
  ];

  it.each(roles)("%s is readable on dark and light", (role) => {
    const painted = createPaint(true)(role, "x");
    expect(painted).toMatch(/^(?:\u001b\[[0-9;]+m)+x(?:\u001b\[[0-9;]+m)+$/);
    expect(painted).not.toMatch(/\b(?:30|37|90|97)\b/);
  });

  it("paints each line for itself, and nothing without colour", () => {
    expect(createPaint(true)("bad", "a\nb")).toBe("\u001b[31ma\u001b[39m\n\u001b[31mb\u001b[39m");
    expect(createPaint(false)("bad", "a\nb")).toBe("a\nb");
  });
});
