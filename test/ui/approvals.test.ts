/** Approvals on a real terminal: a key that was not meant for them never answers (tui rules 24-26). */
import { describe, expect, test } from "vitest";
import type { Beat } from "./fixtures/ScriptedSession";
import { APPROVAL, ask, IDLE, listening, PARKED, PROMPT, pause, prepareScreen, WORKING } from "./support/screenBench";

const open = prepareScreen();
const touch: Beat = { tool: "run_shell", args: { command: "touch made-by-tool" }, ask: "Commands need approval." };
const answers = (log: string[]) => log.filter((line) => line.startsWith("approval"));

test("over a draft it only parks itself, and takes no key until it is opened", async () => {
  const screen = open({ turns: [[{ text: "thinking, thinking", chunk: 1, every: 80 }, touch]] });
  await ask(screen, "go");
  await screen.waitFor(WORKING);
  for (const key of "y please also 1 2 a") await screen.type(key);
  await screen.waitFor(PARKED);
  await screen.type("y", "n", "1", " ");
  expect(answers(screen.log())).toEqual([]);
  await screen.waitFor(/^❯ y please also 1 2 ayn1/m);
  await screen.type("\u0014");
  await listening(screen);
  await screen.type("n");
  await screen.logged(/approval .*deny/);
  await screen.waitForBuffer(/denied/);
  await screen.waitFor(/^❯ y please also/m);
});

test("parked once it stays parked, also when the draft is cleared", async () => {
  const screen = open({ turns: [[{ wait: 600 }, touch]] });
  await ask(screen, "go");
  await screen.waitFor(WORKING);
  await screen.type("x");
  await screen.waitFor(PARKED);
  await screen.type("\u007f");
  await screen.waitFor(/^❯ Enter/m);
  await screen.waitFor(PARKED);
  await screen.type("y");
  expect(answers(screen.log())).toEqual([]);
});

test("keys in flight when the dialog opens are dropped", async () => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await screen.waitFor(APPROVAL);
  screen.send("y");
  await pause(20);
  screen.send("\r");
  await pause(900);
  expect(answers(screen.log())).toEqual([]);
  await screen.waitFor(APPROVAL);
});

test("whoever goes on typing when it opens answers nothing", async () => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await screen.waitFor(APPROVAL);
  for (const key of "yes my yellow tty") {
    screen.send(key);
    await pause(180);
  }
  expect(answers(screen.log())).toEqual([]);
  await pause(600);
  await screen.type("y");
  await screen.logged(/approval .*once/);
});

test.each([
  ["a paste", (text: string) => `\u001b[200~${text}\u001b[201~`, "y\n"],
  ["a burst", (text: string) => text, "y\r"],
  ["two letters in one read", (text: string) => text, "yy"],
])("%s never answers", async (_, wrap, text) => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await listening(screen);
  screen.send(wrap(text));
  await pause(400);
  expect(answers(screen.log())).toEqual([]);
  await screen.waitFor(APPROVAL);
});

test("a key with another close behind it never answers", async () => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await listening(screen);
  screen.send("y");
  await pause(12);
  screen.send("e");
  await pause(12);
  screen.send("s");
  await pause(300);
  expect(answers(screen.log())).toEqual([]);
});

test("only the named keys answer", async () => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await listening(screen);
  for (const key of ["q", "z", "\u007f", "\u001b[3~", "\t", "9", "\r", "a", "v"]) {
    screen.send(key);
    await pause(80);
  }
  await screen.waitFor(APPROVAL);
  expect(answers(screen.log())).toEqual([]);
  await screen.type("n");
  await screen.waitForBuffer(/denied/);
  expect(answers(screen.log())).toEqual(['approval {"outcome":"deny"}']);
});

test.each([
  ["y", { outcome: "once" }],
  ["Y", { outcome: "once" }],
  ["t", { outcome: "always_tool" }],
  ["c", { outcome: "always_command" }],
])("%s allows", async (key, answer) => {
  const screen = open({ turns: [[touch, { text: "done" }]] });
  await ask(screen, "go");
  await listening(screen);
  await screen.type(key);
  await screen.waitForBuffer(/done/);
  expect(answers(screen.log())).toEqual([`approval ${JSON.stringify(answer)}`]);
});

test("e denies and tells the model what to do instead", async () => {
  const screen = open({ turns: [[touch, { text: "done" }]] });
  await ask(screen, "go");
  await listening(screen);
  await screen.type("e");
  await screen.waitFor(/What to do instead/);
  screen.send("use make y t n");
  await screen.waitFor("use make y t n");
  await screen.type("\r");
  await screen.waitForBuffer(/done/);
  expect(answers(screen.log())).toEqual(['approval {"outcome":"deny","reason":"use make y t n"}']);
});

test("Esc in the comment goes back, and the guard begins anew", async () => {
  const screen = open({ turns: [[touch]] });
  await ask(screen, "go");
  await listening(screen);
  await screen.type("e");
  await screen.waitFor(/What to do instead/);
  await screen.type("\u001b");
  await screen.waitFor(APPROVAL);
  await screen.type("y");
  expect(answers(screen.log())).toEqual([]);
  await pause(600);
  await screen.type("y");
  await screen.logged(/approval .*once/);
});

test("Esc denies and stops the turn", async () => {
  const screen = open({ turns: [[touch, { text: "never said" }]] });
  await ask(screen, "go");
  await listening(screen);
  await screen.type("\u001b");
  await screen.waitForBuffer(/Interrupted/);
  await screen.waitFor(IDLE);
  expect(answers(screen.log())).toEqual(['approval {"outcome":"deny"}']);
  expect(screen.log()).toContain("interrupt");
  expect(screen.buffer().join("\n")).not.toContain("never said");
});

test("a repeated key answers one request: the next dialog has a guard of its own", async () => {
  const screen = open({ turns: [[touch, { ...touch, args: { command: "touch second" } }, { text: "done" }]] });
  await ask(screen, "go");
  await listening(screen);
  for (let press = 0; press < 4; press++) {
    screen.send("y");
    await pause(150);
  }
  expect(answers(screen.log())).toHaveLength(1);
  await screen.waitFor(/touch second/);
  await listening(screen);
  await screen.type("y");
  await screen.waitForBuffer(/done/);
  expect(answers(screen.log())).toHaveLength(2);
});

describe("changing the proposal first", () => {
  const changes = [
    { path: "src/a.txt", before: "one\n", after: "two\n" },
    { path: "gone.txt", before: "x\n", after: null },
  ];
  const edit: Beat = { tool: "apply_patch", args: { patch: "…" }, ask: "Changes need approval.", changes };
  /** An editor that replaces a word in the file that it is given, as a person would. */
  const editor = (script: string) => ({ EDITOR: `sed -i '${script}'` });

  test("v opens the editor, the dialog asks anew about what came back, and that is what is allowed", async () => {
    const screen = open({ env: editor("s/two/three/"), turns: [[edit, { text: "done" }]] });
    await ask(screen, "go");
    await listening(screen);
    await screen.type("v");
    await screen.waitFor(/1 \+ three/);
    await screen.type("y");
    expect(answers(screen.log())).toEqual([]);
    await pause(600);
    await screen.type("y");
    await screen.waitForBuffer(/done/);
    const edited = [
      { path: "src/a.txt", after: "three\n" },
      { path: "gone.txt", after: null },
    ];
    expect(answers(screen.log())).toEqual([`approval ${JSON.stringify({ outcome: "once", edited })}`]);
  });

  test.each([
    ["nothing was changed", "s/none/such/"],
    ["the editor failed", "s/two/three"],
  ])("%s: the proposal stays as it was", async (_, script) => {
    const screen = open({ env: editor(script), turns: [[edit, { text: "done" }]] });
    await ask(screen, "go");
    await listening(screen);
    await screen.type("v");
    await pause(1_200);
    await screen.waitFor(/1 \+ two/);
    await screen.type("y");
    await screen.waitForBuffer(/done/);
    expect(answers(screen.log())).toEqual(['approval {"outcome":"once"}']);
  });

  test("v is not offered for a command", async () => {
    const screen = open({ turns: [[touch]] });
    await ask(screen, "go");
    await screen.waitFor(APPROVAL);
    expect(screen.screen().join("\n")).not.toMatch(/v change it/);
  });
});

describe("what is shown", () => {
  test("the command whole, and nothing in it hides", async () => {
    const command = `echo ok \u001b[8m; rm -rf x \u001b[0m ${"long ".repeat(60)}TAIL9`;
    const screen = open({ cols: 60, turns: [[{ ...touch, args: { command } }]] });
    await ask(screen, "go");
    await screen.waitFor(APPROVAL);
    const shown = screen.screen().join("\n");
    expect(shown).toContain("rm -rf x");
    expect(shown).toContain("TAIL9");
    expect(shown).toMatch(/U\+001B/);
    for (let row = 0; row < 24; row++) {
      for (let column = 0; column < 60; column++) expect(screen.cell(row, column).invisible).toBe(false);
    }
  });

  test("what does not fit is scrolled, and cannot be allowed before it was all on the screen", async () => {
    const command = Array.from({ length: 60 }, (_, n) => `echo row ${n}`).join("\n");
    const screen = open({ turns: [[{ ...touch, args: { command } }, { text: "done" }]] });
    await ask(screen, "go");
    await listening(screen);
    await screen.waitFor(/echo row 0\n/);
    await screen.type("y");
    await screen.waitFor(/Not all of it was shown/);
    expect(answers(screen.log())).toEqual([]);
    await screen.type("\u001b[F");
    await screen.waitFor(/echo row 20\n/);
    expect(screen.screen().join("\n")).not.toContain("echo row 59");
    for (let key = 0; key < 60 && !screen.screen().join("\n").includes("echo row 59"); key++) {
      screen.send("\u001b[6~");
      await pause(100);
    }
    await pause(100);
    await screen.type("y");
    await screen.waitForBuffer(/done/);
    expect(answers(screen.log())).toHaveLength(1);
  });

  test("an edit shows its diff before it is approved", async () => {
    const changes = [{ path: "a.txt", before: "alpha one omega\nsame\n", after: "alpha two omega\nsame\n" }];
    const screen = open({
      turns: [[{ tool: "replace_in_file", args: { path: "a.txt" }, ask: "Changes need approval.", changes }]],
    });
    await ask(screen, "go");
    await screen.waitFor(APPROVAL);
    const shown = screen.screen().join("\n");
    expect(shown).toMatch(/1 - alpha one omega/);
    expect(shown).toMatch(/1 \+ alpha two omega/);
    expect(shown).not.toMatch(/c always allow this command/);
  });

  test("the choices stay in sight when the screen becomes small", async () => {
    const command = Array.from({ length: 30 }, (_, n) => `echo row ${n}`).join("\n");
    const screen = open({ turns: [[{ ...touch, args: { command } }]] });
    await ask(screen, "go");
    await screen.waitFor(APPROVAL);
    screen.resize(80, 8);
    await screen.waitFor(
      (rows) => rows.length === 8 && rows.some((row) => APPROVAL.test(row)) && rows.some((row) => /deny/.test(row)),
    );
    expect(screen.raw).not.toMatch(/\u001b\[[23]J/);
  });

  test("in Chinese", async () => {
    const screen = open({ lang: "zh", turns: [[touch]] });
    await ask(screen, "go");
    await screen.waitFor(/y 允许一次/);
    await pause(700);
    await screen.type("n");
    await screen.waitForBuffer(/已拒绝/);
    await screen.waitFor(PROMPT);
  });
});
