/** What streams, resizes and overflows on a real terminal: nothing is lost, doubled, or wiped (tui rules 1-11). */
import { describe, expect, test } from "vitest";
import { blocksIn, fence, markdown } from "./support/filler";
import { ask, count, IDLE, PROMPT, pause, prepareScreen, WORKING } from "./support/screenBench";

const open = prepareScreen();
const WIPE = /\u001b\[[23]J/;

describe("streaming", () => {
  test("a long answer in a short terminal keeps what stood before, and every block once and in order", async () => {
    const text = markdown(20_000);
    const shell = 'for i in $(seq 60); do echo pre line $i; done; exec "$0" "$1"';
    const screen = open({ shell, turns: [[{ text, chunk: 40, every: 5 }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    await screen.waitFor(IDLE, 60_000);
    expect(screen.raw).not.toMatch(WIPE);
    expect(count(screen, /^pre line 1$/)).toBe(1);
    expect(count(screen, /^pre line 60$/)).toBe(1);
    const seen = [
      ...screen
        .buffer()
        .join("\n")
        .matchAll(/block-(\d+)-end/g),
    ].map((match) => Number(match[1]));
    expect(seen).toEqual(Array.from({ length: blocksIn(text) }, (_, n) => n));
    expect(screen.raw.length).toBeLessThan(400_000);
  });

  test("a draft and an answer that fill the screen never clear it", async () => {
    const screen = open({ rows: 12, turns: [[{ text: fence(40), chunk: 30, every: 10 }, { hang: true }]] });
    await screen.waitFor(PROMPT);
    for (let line = 1; line <= 7; line++) await screen.type(`${line}`, "\n");
    await screen.type("\r");
    await screen.waitFor(WORKING);
    await screen.waitForBuffer(/row-39-end/);
    for (let line = 1; line <= 12; line++) await screen.type(`${line}`, "\n");
    expect(screen.raw).not.toMatch(WIPE);
    await screen.waitFor(PROMPT);
  });

  test("a block taller than the screen keeps its first and last line", async () => {
    const text = Array.from({ length: 60 }, (_, n) => `- row${n}.`).join("\n");
    const screen = open({ rows: 20, turns: [[{ text, chunk: 2_000 }]] });
    await ask(screen, "go");
    await screen.waitForBuffer(/row59\./);
    await screen.waitFor(IDLE);
    for (const row of [0, 30, 59]) expect(count(screen, new RegExp(`row${row}\\.`)), `row${row}`).toBe(1);
  });

  test("an open code fence goes up line by line, each once", async () => {
    const screen = open({ cols: 100, rows: 30, turns: [[{ text: fence(300), chunk: 60, every: 2 }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    await screen.waitFor(IDLE, 60_000);
    const seen = [
      ...screen
        .buffer()
        .join("\n")
        .matchAll(/row-(\d+)-end/g),
    ].map((match) => Number(match[1]));
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  test("a fence that forms character by character never flashes", async () => {
    const screen = open({ turns: [[{ text: "Here:\n\n```py\nx = 1\n```\n\nDone.", chunk: 1, every: 40 }]] });
    await ask(screen, "go");
    const flashes: string[] = [];
    for (let tries = 0; tries < 200 && !screen.screen().some((row) => row.includes("Done.")); tries++) {
      flashes.push(...screen.screen().filter((row) => /^\s*`{1,3}/.test(row)));
      await pause(20);
    }
    await screen.waitFor(IDLE);
    expect(flashes).toEqual([]);
    await screen.waitFor("x = 1");
    expect(screen.screen().join("\n")).not.toContain("```");
  });

  test("an answer that broke off starts again, and says so", async () => {
    const screen = open({
      turns: [
        [
          { text: "half of it", chunk: 4, every: 30 },
          { retry: 600, reason: "connection reset" },
          { text: "all of it" },
        ],
      ],
    });
    await ask(screen, "go");
    await screen.waitFor(/Trying again.*connection reset/);
    await screen.waitForBuffer(/all of it/);
    await screen.waitFor(IDLE);
  });
});

describe("foreign text", () => {
  test("a line of 200 KB is cut, and the card stays small", async () => {
    const screen = open({
      cols: 100,
      rows: 30,
      turns: [
        [{ tool: "run_shell", args: { command: "print it" }, output: ["A".repeat(200_000)] }, { text: "ok then" }],
      ],
    });
    await ask(screen, "go");
    await screen.waitForBuffer(/ok then/, 5_000);
    expect(count(screen, /AAAA/)).toBe(1);
    expect(count(screen, /│ A+… \(\+8\d{3}\+\)$/)).toBe(1);
  });

  test("control sequences of tools and models do nothing; plain colours stay", async () => {
    const nasty = "\u001b]0;owned\u0007\u001b[2J\u001b[?1049h\u001b]52;c;Zm9v\u0007\u001b[31mred\u001b[0m after\rovr";
    const screen = open({
      turns: [[{ tool: "run_shell", args: { command: `x ${nasty}` }, output: [nasty] }, { text: `said ${nasty} ok` }]],
    });
    await ask(screen, "go");
    await screen.waitForBuffer(/ok/);
    await screen.waitFor(IDLE);
    expect(screen.raw).not.toMatch(/\u001b\]0;owned|\u001b\[2J|\u001b\[\?1049h|\u001b\]52/);
    await screen.waitForBuffer("red");
  });

  test("tabs and progress lines", async () => {
    const screen = open({
      cols: 60,
      turns: [[{ tool: "run_shell", args: { command: "p" }, output: ["a\tb\n10%\r50%\r100%\n"] }, { text: "ok then" }]],
    });
    await ask(screen, "go");
    await screen.waitForBuffer(/ok then/);
    await screen.waitForBuffer("100%");
    expect(screen.buffer().join("\n")).not.toMatch(/10%.*50%/);
  });

  test("emoji and CJK never reach the last column", async () => {
    const text = "- ⚠️ warn\n- 你好，世界你好，世界你好，世界你好，世界\n- 👨‍👩‍👧 family\n- 1️⃣ key";
    const screen = open({ cols: 40, rows: 16, turns: [[{ text }]] });
    await ask(screen, "go");
    await screen.waitForBuffer(/family/);
    await screen.waitFor(IDLE);
    await screen.waitForBuffer("warn");
    for (let row = 0; row < 16; row++) expect(screen.cell(row, 39).text.trim(), `row ${row}`).toBe("");
  });

  test("only the input row begins with the prompt mark", async () => {
    const screen = open({
      cols: 26,
      turns: [
        [
          { text: "❯ not a prompt\n\n```\n❯ nor this\n```" },
          { tool: "x", args: {}, result: "❯ nor that" },
          { text: "ok then" },
        ],
      ],
    });
    await ask(screen, "go");
    await screen.waitForBuffer(/ok then/);
    await screen.waitFor(IDLE);
    expect(count(screen, /^❯/)).toBe(1);
  });
});

describe("size", () => {
  test("dragging from 100 to 60 columns leaves one prompt and one working row", async () => {
    const screen = open({
      cols: 100,
      turns: [
        [
          {
            text: "some words that stand above, long enough to be wrapped when the screen gets narrow, as they should be",
          },
          { hang: true },
        ],
      ],
    });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    for (let cols = 96; cols >= 60; cols -= 4) {
      screen.resize(cols, 24);
      await pause(80);
    }
    await pause(600);
    expect(count(screen, PROMPT)).toBe(1);
    expect(count(screen, WORKING)).toBe(1);
    expect(screen.raw).not.toMatch(WIPE);
  });

  test("down to 20 columns and back, with a draft", async () => {
    const screen = open({ cols: 100 });
    await screen.waitFor(PROMPT);
    await screen.waitFor(/interactive/);
    screen.send("hello world, a draft");
    await screen.waitFor("hello world, a draft");
    screen.resize(20, 24);
    await pause(500);
    expect(count(screen, PROMPT)).toBe(1);
    screen.resize(100, 24);
    await pause(500);
    await screen.waitFor("❯ hello world, a draft");
    expect(count(screen, PROMPT)).toBe(1);
    await screen.type("!");
    await screen.waitFor("❯ hello world, a draft!");
  });

  test.each([
    ["a few rows", 4],
    ["more than the screen", 40],
  ])("any change of size leaves one prompt and eats no row, with %s above", async (_, many) => {
    const text = Array.from({ length: many }, (_, n) => `row-${n}-end, and some more words`).join("\n\n");
    const screen = open({ cols: 90, rows: 24, turns: [[{ text }, { hang: true }]] });
    await ask(screen, "go");
    await screen.waitForBuffer(new RegExp(`row-${many - 1}-end`));
    await screen.type("d", "r", "a", "f", "t");
    for (const [cols, rows] of [
      [60, 24],
      [45, 20],
      [90, 30],
      [70, 12],
      [90, 24],
    ] as const) {
      screen.resize(cols, rows);
      await pause(350);
      await screen.waitFor(/❯ draft/);
      expect(count(screen, PROMPT), `${cols}x${rows}`).toBe(1);
    }
    for (let n = 0; n < many; n++) expect(count(screen, new RegExp(`row-${n}-end`)), `row ${n}`).toBe(1);
    expect(screen.raw).not.toMatch(WIPE);
  });

  test.each([
    [20, 6],
    [10, 4],
    [3, 2],
    [1, 1],
  ])("%i by %i columns and rows never throws", async (cols, rows) => {
    const screen = open({
      cols,
      rows,
      turns: [
        [
          { text: markdown(500) },
          { tool: "run_shell", args: { command: "ls -la" }, ask: "Why not?" },
          { text: "done" },
        ],
      ],
    });
    await screen.logged(/open new/);
    await pause(300);
    for (const key of ["g", "o", "\r"]) {
      screen.send(key);
      await pause(150);
    }
    await screen.logged(/run go/);
    await pause(1_000);
    await screen.type("\u001b", "?", "x", "/");
    screen.resize(80, 24);
    await screen.waitFor(/interactive/);
    screen.send("\u0003");
    await screen.waitFor(PROMPT);
    await screen.type("\u0003", "\u0003", "\u0003");
    expect(await screen.exited).toBe(0);
  });

  test("Ctrl-L draws everything again, without wiping", async () => {
    const screen = open({ turns: [[{ text: "an answer" }]] });
    await ask(screen, "go");
    await screen.waitForBuffer(/an answer/);
    await screen.waitFor(IDLE);
    screen.send("a draft");
    await screen.waitFor("❯ a draft");
    const before = screen.screen();
    const written = screen.raw.length;
    await screen.type("\f");
    await pause(300);
    expect(screen.raw.slice(written)).toContain("a draft");
    expect(screen.screen()).toEqual(before);
    expect(screen.raw).not.toMatch(WIPE);
    await screen.type("!");
    await screen.waitFor("❯ a draft!");
  });
});
