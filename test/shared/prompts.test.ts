/** The laws of the prompt files: the same bones in each language, and nothing in them that the tools do not keep. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { type Lang, PROMPT_LANGS } from "../../src/shared/lang";
import { getPrompts, type PromptSet, promptSets } from "../../src/shared/prompts";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerTerminalTools } from "../../src/tools/terminal";
import { ScriptedProvider } from "../support/scriptedProvider";
import { foreignCharacters } from "./writing";

const folder = join(__dirname, "..", "..", "prompts");
const PROMPTS = ["code", "cowork", "explore", "compact", "sessionName"] as const satisfies (keyof PromptSet)[];
const OTHERS = PROMPT_LANGS.filter((lang) => lang !== "en");
const pages = OTHERS.flatMap((lang) => PROMPTS.map((name) => ({ lang, name })));

/** Heads of sections (`# 3. …`) and of listed points (`3. …`), as they follow one another. */
const numbersOf = (text: string) => [...text.matchAll(/^((?:# )?\d+\.) \S/gm)].map((match) => match[1]);
const placeholdersOf = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
/** What stands between backticks: names that are never translated. */
const namesOf = (text: string) => [...new Set([...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""))].sort();
const sectionsOf = (text: string) => text.split(/^(?=# \d+\. )/m);

/** All tools that a model may be shown, with their parameters. */
function registeredTools() {
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-prompts-"));
  const { registry } = createDefaultEngine({ workspace, model: "any", provider: new ScriptedProvider([]) });
  const terminals = new ToolRegistry();
  registerTerminalTools(terminals, { terminals: { list: () => [], read: () => "" }, projectId: "any" });
  const schemas = [...registry.schemas(), ...terminals.schemas()].map((schema) => schema.function);
  return {
    descriptions: new Map(schemas.map(({ name, description }) => [name, description])),
    parameters: new Set(schemas.flatMap(({ parameters }) => Object.keys(parameters["properties"] ?? {}))),
  };
}

const tools = registeredTools();

/** Between backticks besides tools and their parameters. */
const PROTOCOL_WORDS = ["<system-reminder>", "<environment>", "<conversation_summary>", "path:line", "cd"];

describe("every language", () => {
  test.each(PROMPT_LANGS)("%s has its five files, and they are what is used", (lang) => {
    const files = readdirSync(join(folder, lang)).sort();
    expect(files).toEqual(["code.md", "compact.md", "cowork.md", "explore.md", "session-name.md"]);
    for (const name of PROMPTS) {
      const file = `${name === "sessionName" ? "session-name" : name}.md`;
      expect(getPrompts(lang)[name]).toBe(readFileSync(join(folder, lang, file), "utf8"));
    }
  });

  test.each(pages)("$lang/$name has the sections and points of the English text", ({ lang, name }) => {
    expect(numbersOf(promptSets[lang][name])).toEqual(numbersOf(promptSets.en[name]));
  });

  test.each(pages)("$lang/$name has the placeholders of the English text", ({ lang, name }) => {
    expect(placeholdersOf(promptSets[lang][name])).toEqual(placeholdersOf(promptSets.en[name]));
  });

  test.each(pages)("$lang/$name keeps names and protocol words, each in its section", ({ lang, name }) => {
    const names = (text: string) => sectionsOf(text).map(namesOf);
    expect(names(promptSets[lang][name])).toEqual(names(promptSets.en[name]));
    expect(promptSets[lang][name].match(/zqagent/g)?.length).toBe(promptSets.en[name].match(/zqagent/g)?.length);
  });

  test.each(pages)("$lang/$name is written in its own language", ({ lang, name }) => {
    const text = promptSets[lang][name];
    expect(foreignCharacters(text, lang)).toEqual([]);
    const others = PROMPT_LANGS.filter((other) => other !== lang).map((other) => promptSets[other][name]);
    expect(others).not.toContain(text);
  });
});

describe("sections", () => {
  test.each(["code", "cowork", "explore"] as const)("of %s are numbered from 1 without a gap", (name) => {
    const heads = numbersOf(promptSets.en[name]);
    expect(heads).toEqual(heads.map((_, index) => `# ${index + 1}.`));
  });

  test("of the summary are the eight that a compaction needs", () => {
    expect(numbersOf(promptSets.en.compact)).toEqual(["1.", "2.", "3.", "4.", "5.", "6.", "7.", "8."]);
  });
});

describe("what the texts name exists", () => {
  const texts: [string, string][] = [
    ...PROMPT_LANGS.flatMap((lang: Lang) =>
      PROMPTS.map((name): [string, string] => [`${lang}/${name}`, promptSets[lang][name]]),
    ),
  ];

  test.each(texts)("%s: every name between backticks is a tool, a parameter or a protocol word", (_, text) => {
    const known = new Set([...tools.descriptions.keys(), ...tools.parameters, ...PROTOCOL_WORDS]);
    expect(namesOf(text).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(texts)("%s: no tool is named without backticks", (_, text) => {
    const bare = text.replace(/`[^`]+`/g, "").match(/[a-z]+_[a-z_]+/g) ?? [];
    expect(bare).toEqual([]);
  });

  test("explore names no tool, for its child has only some of them", () => {
    for (const lang of PROMPT_LANGS) {
      expect(namesOf(promptSets[lang].explore).filter((name) => tools.descriptions.has(name))).toEqual([]);
    }
  });
});

describe("tool descriptions", () => {
  const names = readdirSync(join(folder, "tools")).map((file) => file.replace(/\.md$/, ""));

  test("belong to a registered tool each, and each tool has one", () => {
    expect(names.sort()).toEqual([...tools.descriptions.keys()].sort());
  });

  test.each(names)("%s is described by its file, in English", (name) => {
    const text = readFileSync(join(folder, "tools", `${name}.md`), "utf8").trim();
    expect(tools.descriptions.get(name)).toBe(text);
    expect(foreignCharacters(text, "en")).toEqual([]);
    expect(text).toMatch(/^[A-Z].*\.$/s);
  });

  test.each(names)("%s names only tools and parameters that exist", (name) => {
    const text = readFileSync(join(folder, "tools", `${name}.md`), "utf8");
    const mentioned = text.match(/[a-z]+_[a-z_]+/g) ?? [];
    const known = new Set([...tools.descriptions.keys(), ...tools.parameters, "in_progress"]);
    expect(mentioned.filter((word) => !known.has(word))).toEqual([]);
  });
});
