import { execFile } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBuffer, insertText, textOf, undo } from "../../../src/ui/input/editBuffer";
import { openHistory } from "../../../src/ui/input/history";
import {
  currentMatch,
  newerPrompt,
  olderMatch,
  olderPrompt,
  searchFor,
  startSearch,
  startWalk,
} from "../../../src/ui/input/historyWalk";
import { bundleFixture } from "../terminal/bundledFixture";

const script = bundleFixture(join(import.meta.dirname, "fixtures/appendHistory.ts"));
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "zqagent-history-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, "history.jsonl");

describe("the file", () => {
  it("keeps the prompts of each folder, readable by the owner alone", async () => {
    const a = await openHistory(join(home, "new"), "/a");
    await a.add("one");
    await a.add("two\nlines");
    await a.add("two\nlines");
    await (await openHistory(join(home, "new"), "/b")).add("other");
    expect((await openHistory(join(home, "new"), "/a")).entries).toEqual(["one", "two\nlines"]);
    expect(statSync(join(home, "new/history.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "new")).mode & 0o777).toBe(0o700);
  });

  it("skips lines that a crash tore, and is not glued to them", async () => {
    writeFileSync(file(), `${JSON.stringify({ folder: "/a", text: "good" })}\nnonsense\n{"folder":"/a","te`);
    const history = await openHistory(home, "/a");
    expect(history.entries).toEqual(["good"]);
    await history.add("next");
    expect((await openHistory(home, "/a")).entries).toEqual(["good", "next"]);
  });

  it("keeps a thousand of a folder", async () => {
    const line = (i: number) => `${JSON.stringify({ folder: "/a", text: `prompt ${i}` })}\n`;
    writeFileSync(file(), Array.from({ length: 1250 }, (_, i) => line(i)).join(""));
    const history = await openHistory(home, "/a");
    expect(history.entries).toHaveLength(1000);
    await history.add("newest");
    const kept = readFileSync(file(), "utf8").trimEnd().split("\n");
    expect(kept).toHaveLength(1000);
    expect(kept.at(-1)).toContain("newest");
  });

  it("takes what several processes append, and loses none of it", async () => {
    appendFileSync(file(), "");
    const run = promisify(execFile);
    await Promise.all(["p", "q", "r"].map((name) => run(process.execPath, [script(), home, name, "20"])));
    const { entries } = await openHistory(home, "/shared");
    for (const name of ["p", "q", "r"])
      expect(entries.filter((entry) => entry.startsWith(name))).toEqual(
        Array.from({ length: 20 }, (_, i) => `${name}${i}`),
      );
    expect(existsSync(`${file()}.lock`)).toBe(false);
  });

  it("costs nothing but the memory of it when it cannot be written", async () => {
    const history = await openHistory("/dev/null/nowhere", "/a");
    await history.add("x");
    expect(history.entries).toEqual(["x"]);
  });
});

describe("walking", () => {
  const type = (text: string) => insertText(createBuffer(), text);

  it("goes back and forward, and the draft is there again", () => {
    const draft = type("line1\nline2");
    const first = olderPrompt(startWalk(["oldest", "older"]), draft)!;
    expect(textOf(first.buffer)).toBe("older");
    const second = olderPrompt(first.walk, first.buffer)!;
    expect(textOf(second.buffer)).toBe("oldest");
    expect(olderPrompt(second.walk, second.buffer)).toBeNull();
    const back = newerPrompt(second.walk, second.buffer)!;
    const end = newerPrompt(back.walk, back.buffer)!;
    expect(textOf(end.buffer)).toBe("line1\nline2");
    expect(newerPrompt(end.walk, end.buffer)).toBeNull();
  });

  it("keeps edits made to old prompts", () => {
    const step = olderPrompt(startWalk(["older"]), type("draft"))!;
    const edited = insertText(step.buffer, " and more");
    const forward = newerPrompt(step.walk, edited)!;
    const again = olderPrompt(forward.walk, forward.buffer)!;
    expect(textOf(again.buffer)).toBe("older and more");
  });

  it("can be undone", () => {
    const step = olderPrompt(startWalk(["older"]), type("draft"))!;
    expect(textOf(undo(step.buffer))).toBe("draft");
  });
});

describe("searching", () => {
  const entries = ["npm test", "fix the Parser", "npm run build", "npm test"];

  it("finds the newest first, each text once", () => {
    const search = searchFor(startSearch(entries), "npm");
    expect(search.matches).toEqual(["npm test", "npm run build"]);
    expect(currentMatch(search)).toBe("npm test");
    expect(currentMatch(olderMatch(search))).toBe("npm run build");
    expect(currentMatch(olderMatch(olderMatch(search)))).toBe("npm run build");
  });

  it("minds capitals only when asked with one", () => {
    expect(currentMatch(searchFor(startSearch(entries), "parser"))).toBe("fix the Parser");
    expect(currentMatch(searchFor(startSearch(entries), "PARSER"))).toBeNull();
  });
});
