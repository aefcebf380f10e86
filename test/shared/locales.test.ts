/** The laws of the texts that a person reads: each language says the same, with the same values, keys and commands. */
import { describe, expect, test } from "vitest";
import { textWidth } from "../../src/render/width";
import { type Lang, PROMPT_LANGS } from "../../src/shared/lang";
import { fill, type Texts, textsFor } from "../../src/shared/locales";
import { foreignCharacters } from "./writing";

const OTHERS = PROMPT_LANGS.filter((lang) => lang !== "en");

/** Every text of a language by `table.key`. */
function textsOf(lang: Lang): Map<string, string> {
  const tables = Object.entries(textsFor(lang)) as [keyof Texts, Record<string, string>][];
  return new Map(
    tables.flatMap(([table, texts]) => Object.entries(texts).map(([key, text]) => [`${table}.${key}`, text])),
  );
}

const english = textsOf("en");

/** All keys whose text, measured by `law`, differs from the English one. */
function breaches(lang: Lang, law: (text: string) => unknown): Record<string, unknown> {
  const own = textsOf(lang);
  return Object.fromEntries(
    [...english]
      .map(([key, text]) => [key, { is: law(own.get(key) ?? ""), due: law(text) }] as const)
      .filter(([, { is, due }]) => JSON.stringify(is) !== JSON.stringify(due)),
  );
}

const sorted = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).sort();

/** Keys to press. `y` and its like stand outside the texts, but for those between backticks. */
const KEYS = /(?:Ctrl|Shift|Alt)-[A-Z]\w*|\b(?:Esc|Enter|Tab|Space)\b|[↑↓]+|\[y\/N\]|(?<![\w/])[?](?= \S+.* ·)/g;
/** Slash commands, options, variables and the program's own commands with their words. */
const COMMANDS = /(?<![\w./<])\/(?:[a-z]+)\b|--[a-z][a-z-]*|\b[A-Z]+(?:_[A-Z]+)+\b|<id>/g;
/** Values of options, and the program's own commands: typed as they stand. */
const VALUES =
  /\b(?:responses|chat|discuss|interactive|auto|native|shadow|off|required|text|json|stream-json|always|never)\b/g;
const OWN_COMMANDS = /\bzqagent (?:demo|resume|rollback|sessions list)\b/g;

/** Where a text is cut on a screen of 80 columns: what the key column and the command column leave. */
const SHEET_WIDTH = 46;
const COMMAND_WIDTH = 53;

describe.each(OTHERS)("texts in %s", (lang) => {
  test("have every key and no other", () => {
    expect([...textsOf(lang).keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("take the values that the English text takes", () => {
    expect(breaches(lang, (text) => sorted(text, /\{\w+\}/g))).toEqual({});
  });

  test("name the same keys", () => {
    expect(breaches(lang, (text) => sorted(text, KEYS))).toEqual({});
  });

  test("name the same commands, options and variables", () => {
    expect(breaches(lang, (text) => sorted(text, COMMANDS))).toEqual({});
  });

  test("leave what is typed or quoted as it stands", () => {
    expect(breaches(lang, (text) => sorted(text, /`[^`\n]+`/g))).toEqual({});
    expect(breaches(lang, (text) => sorted(text, OWN_COMMANDS))).toEqual({});
    const offers = (key: string) => /^cli\.help(ApiMode|Mode|Vcs|Sandbox|OutputFormat|Color)$/.test(key);
    expect(Object.keys(breaches(lang, (text) => sorted(text, VALUES))).filter(offers)).toEqual([]);
    expect(textsFor(lang).ui.commandCompact).toContain("undo");
    expect(textsFor(lang).cli.lineApprove).toContain("yes");
  });

  test("have as many lines, indented alike", () => {
    expect(breaches(lang, (text) => text.split("\n").length)).toEqual({});
    expect(breaches(lang, (text) => /^\s*/.exec(text)?.[0])).toEqual({});
  });

  test("are not empty, and hold no control or hidden characters", () => {
    for (const [key, text] of textsOf(lang)) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/[\p{Cf}\u00a0\u3000]|[^\P{Cc}\n]/u);
    }
  });

  test("are written in that language", () => {
    const leftOver = [...textsOf(lang)].map(([key, text]) => [key, foreignCharacters(text, lang)] as const);
    expect(leftOver.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  test("are no English sentences that were forgotten", () => {
    const own = textsOf(lang);
    const forgotten = [...english].filter(([key, text]) => own.get(key) === text && wordsOf(text) > 1);
    expect(forgotten.map(([key]) => key)).toEqual([]);
  });
});

/** Words of a sentence: neither placeholders nor names. */
function wordsOf(text: string): number {
  return (text.replace(/\{\w+\}|zqagent/g, "").match(/\p{L}+/gu) ?? []).length;
}

test.each(PROMPT_LANGS)("keys and commands in %s are explained within 80 columns", (lang) => {
  const rows = Object.entries(textsFor(lang).ui);
  const widest = (family: RegExp, width: number) =>
    rows.filter(([key, text]) => family.test(key) && textWidth(text) > width).map(([, text]) => text);
  expect(widest(/^sheet/, SHEET_WIDTH)).toEqual([]);
  expect(widest(/^command(?!Unknown)/, COMMAND_WIDTH)).toEqual([]);
});

test.each(PROMPT_LANGS)("the examples of the help in %s stand in two columns", (lang) => {
  const rows = textsFor(lang).cli.helpExamples.split("\n").slice(1);
  const starts = rows.map((row) => textWidth(/^ {2}.*(?: {2,}|" )(?=\S)/.exec(row)?.[0] ?? ""));
  expect(new Set(starts)).toEqual(new Set([36]));
});

describe("a text with values", () => {
  test("takes them literally, also where they look like patterns or placeholders", () => {
    expect(fill("{a} and {b}", { a: "$&", b: "{a}" })).toBe("$& and {a}");
  });

  test("keeps a placeholder that has no value", () => {
    expect(fill("{a} of {b}", { a: 0 })).toBe("0 of {b}");
  });
});
