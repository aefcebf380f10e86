/** Keys and pastes through the whole chain: terminal, decoder, editor, screen (tui rules 16-23). */
import { describe, expect, test } from "vitest";
import { markdown } from "./support/filler";
import { ask, count, IDLE, pause, prepareScreen, QUEUED, WORKING } from "./support/screenBench";

const open = prepareScreen();
const ready = /interactive/;
const lines = (many: number) => Array.from({ length: many }, (_, n) => `line ${n} $& $1 \\1`).join("\n");

describe("pastes", () => {
  test("many lines stand as one marker and are sent whole", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.paste(lines(300));
    await screen.waitFor(/\+300 lines/);
    expect(screen.screen().join("\n")).not.toContain("line 150");
    await pause(60);
    screen.send("\r");
    await screen.logged(/run line 0/);
    expect(screen.log().join("\n")).toContain(`run ${lines(300)}`);
  });

  test("a pasted line end never sends, coloured text loses its colour", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.send("\u001b[200~first a\u001b[31mred\u001b[0mb\rsecond\r\u001b[201~");
    await screen.waitFor(/second/);
    await screen.waitFor("first aredb");
    await pause(200);
    expect(screen.log().some((line) => line.startsWith("run"))).toBe(false);
  });

  test("an unbracketed burst inserts lines", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.send("one\rtwo\rthree");
    await screen.waitFor(/❯ one\n {2}two\n {2}three/);
    await pause(200);
    expect(screen.log().some((line) => line.startsWith("run"))).toBe(false);
  });

  test("an end mark in two reads", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.send("\u001b[200~hello\u001b[20");
    await pause(60);
    screen.send("1~!");
    await screen.waitFor(/❯ hello!$/m);
  });
});

describe("keys", () => {
  test("typed before the first frame they are kept and not echoed", async () => {
    const screen = open();
    screen.send("hel");
    await screen.waitFor(ready);
    screen.send("lo");
    await screen.waitFor(/^❯ hello$/m);
    expect(count(screen, /hel/)).toBe(1);
  });

  test("the newline keys of all encodings", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.send("a\u001b[13;2ub\u001b[27;2;13~c\u001b\rd\ne\\");
    await pause(80);
    screen.send("\r");
    await pause(80);
    screen.send("f");
    await screen.waitFor(/❯ a\n {2}b\n {2}c\n {2}d\n {2}e\n {2}f/);
    expect(screen.log().some((line) => line.startsWith("run"))).toBe(false);
  });

  test("an arrow key split by a slow link moves the cursor and stops nothing", async () => {
    const screen = open({ env: { SSH_TTY: "/dev/pts/9" }, turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    await screen.type("a", "b");
    screen.send("\u001b");
    await pause(30);
    screen.send("[D");
    await pause(60);
    screen.send("X");
    await screen.waitFor(/^❯ aXb/m);
    await screen.waitFor(WORKING);
    expect(screen.buffer().join("\n")).not.toMatch(/\[D|nterrupted/);
  });

  test("answers of the terminal never show as text", async () => {
    const screen = open();
    await screen.waitFor(ready);
    screen.send("\u001b[?62;22c\u001b]11;rgb:1e1e/1e1e/1e1e\u0007\u001b[12;40R\u001b[I\u001b[O\u001b[<64;10;10M");
    await pause(200);
    await screen.type("x");
    await screen.waitFor(/^❯ x$/m);
  });

  test("the real cursor stands at the caret behind wide characters, in every frame", async () => {
    const screen = open({ cols: 60, rows: 16, turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    await screen.type("你", "好", "a", "b");
    await screen.waitFor(/❯ 你好ab/);
    for (let sample = 0; sample < 30; sample++) {
      expect(screen.cursor.line).toMatch(/^❯ 你好ab/);
      expect(screen.cursor.column).toBe(8);
      await pause(31);
    }
  });

  test("keys are quick while an answer streams, and none is lost", async () => {
    const screen = open({ cols: 100, rows: 40, turns: [[{ text: markdown(20_000), chunk: 20, every: 4 }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    const typed = "the quick brown fox jumps";
    for (const key of typed) await screen.type(key);
    await screen.waitFor(`❯ ${typed}`);
  });
});

test("Ctrl-G edits the draft in the person's own editor", async () => {
  const screen = open({ env: { VISUAL: "sed -i s/cat/dog/" } });
  await screen.waitFor(ready);
  await screen.type("a", " ", "c", "a", "t", "\u0007");
  await screen.waitFor(/^❯ a dog$/m);
  await screen.type("!");
  await screen.waitFor(/^❯ a dog!$/m);
  expect(count(screen, /^❯/)).toBe(1);
});

describe("the queue", () => {
  test("a prompt sent while a turn runs is shown as queued and delivered once", async () => {
    const screen = open({ turns: [[{ text: markdown(2_000), chunk: 20, every: 20 }], [{ text: "second answer" }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    for (const key of "second one") await screen.type(key);
    await screen.type("\r");
    await screen.waitFor(QUEUED);
    await screen.waitForBuffer(/second answer/);
    await screen.waitFor(IDLE);
    expect(screen.log().filter((line) => line === "run second one")).toHaveLength(1);
    expect(screen.screen().join("\n")).not.toMatch(QUEUED);
  });

  test("an interrupt gives queued text back to the box", async () => {
    const screen = open({ turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    for (const key of "keep me") await screen.type(key);
    await screen.type("\r");
    await screen.waitFor(QUEUED);
    await screen.type("\u001b");
    await screen.waitForBuffer(/nterrupted/);
    await screen.waitFor(/^❯ keep me$/m);
    expect(screen.log().filter((line) => line.startsWith("run"))).toEqual(["run go"]);
  });

  test("up takes queued texts back while they are not yet sent", async () => {
    const screen = open({ turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    for (const key of "later this") await screen.type(key);
    await screen.type("\t");
    await screen.waitFor(QUEUED);
    await screen.type("\u001b[A");
    await screen.waitFor(/^❯ later this$/m);
    expect(screen.screen().join("\n")).not.toMatch(QUEUED);
  });
});

test("earlier prompts of the folder come back in the next session", async () => {
  const first = open();
  await ask(first, "remember me");
  await first.waitForBuffer(/ok/);
  await first.waitFor(IDLE);
  await first.type("\u0004");
  expect(await first.exited).toBe(0);
  const second = open({ cwd: `${first.home}/project`, env: { HOME: first.home } });
  await second.waitFor(ready);
  await second.type("\u001b[A");
  await second.waitFor(/^❯ remember me$/m);
});
