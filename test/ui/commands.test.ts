/** Commands and the dialogs that ask, on a real terminal. */
import { describe, expect, test } from "vitest";
import { ask, IDLE, listening, type OpenScreen, PROMPT, pause, prepareScreen } from "./support/screenBench";

const open = prepareScreen();

async function command(screen: OpenScreen, line: string): Promise<void> {
  await screen.waitFor(/interactive|auto|plan|discuss/);
  await screen.waitFor(IDLE);
  for (const key of line) {
    screen.send(key);
    await pause(15);
  }
  await screen.waitFor(`❯ ${line}`);
  await pause(60);
  screen.send("\r");
}

const past = [
  { id: "20261130-101010-ab12", name: "Old work", firstPrompt: "old", updated: "2026-11-30T10:10:10Z", turns: 3 },
];
const history = [
  { role: "user" as const, content: "earlier question" },
  {
    role: "assistant" as const,
    content: "earlier **answer**",
    tool_calls: [
      { id: "c1", type: "function" as const, function: { name: "run_shell", arguments: '{"command":"cat x"}' } },
    ],
  },
  { role: "tool" as const, content: "the whole file", tool_call_id: "c1" },
];

test("/help lists the commands and the keys, and nothing that does not work", async () => {
  const screen = open({ rows: 50 });
  await command(screen, "/help");
  await screen.waitForBuffer(/Shift-Tab/);
  const all = screen.buffer().join("\n");
  for (const name of ["help", "model", "mode", "new", "compact", "diff", "rollback", "resume", "quit"])
    expect(all).toMatch(new RegExp(`/${name}\\b`));
  expect(all).not.toMatch(/\/(clear|vim|mcp|todo|init)\b/);
});

test("/model shows and changes the model", async () => {
  const screen = open();
  await command(screen, "/model");
  await screen.waitForBuffer(/Model: scripted-1/);
  await command(screen, "/model other-2");
  await screen.waitFor(/interactive · other-2/);
});

describe("/mode", () => {
  test("with a name, and by Shift-Tab", async () => {
    const screen = open();
    await command(screen, "/mode plan");
    await screen.waitFor(/^plan · /m);
    await screen.type("\u001b[Z");
    await screen.waitFor(/^interactive · /m);
    expect(screen.log()).toEqual(expect.arrayContaining(["mode plan", "mode interactive"]));
  });

  test("from a list; Esc changes nothing", async () => {
    const screen = open();
    await command(screen, "/mode ");
    await screen.waitFor(/asks before it changes/);
    await screen.type("\u001b[B", "\r");
    await screen.waitFor(/^auto · /m);
    await command(screen, "/mode ");
    await screen.waitFor(/asks before it changes/);
    await screen.type("\u001b");
    await screen.waitFor(PROMPT);
    expect(screen.log().filter((line) => line.startsWith("mode"))).toEqual(["mode auto"]);
  });

  test("an unknown one is refused", async () => {
    const screen = open();
    await command(screen, "/mode turbo");
    await screen.waitForBuffer(/There is no mode turbo. Modes: discuss, plan, interactive, auto/);
  });
});

test("/new opens another session and closes the old one", async () => {
  const screen = open();
  await command(screen, "/new");
  await screen.logged(/close session-1/);
  await ask(screen, "hello");
  await screen.logged(/run hello/);
});

test("/compact, with a focus, and undo", async () => {
  const screen = open();
  await command(screen, "/compact keep the plan");
  await screen.waitForBuffer(/9 messages became 3/);
  expect(screen.log()).toContain("compact keep the plan");
  await command(screen, "/compact undo");
  await screen.waitForBuffer(/taken back/);
  await command(screen, "/compact undo");
  await screen.waitForBuffer(/There is no compaction/);
});

test("/diff shows what a turn changed", async () => {
  const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
  const screen = open({ diff });
  await command(screen, "/diff");
  await screen.waitForBuffer(/1 \+ two/);
  await command(screen, "/diff nonsense");
  await screen.waitForBuffer(/nonsense is no turn number/);
});

describe("/rollback", () => {
  const changed = [
    { turn: 1, files: ["a.txt"], prompt: "fix it", when: "2026-12-01T10:00:00Z" },
    { turn: 2, files: ["a.txt", "b.txt"], prompt: "more", when: "2026-12-01T11:00:00Z" },
  ];
  const rollback = {
    restored: ["a.txt", "c.txt"],
    overwritten: ["c.txt"],
    deleted: ["b.txt"],
    missing: ["big.bin", "locked.txt"],
    uncovered: [{ path: "lib", reason: "nested_repository" as const }],
    failed: [{ path: "locked.txt", reason: "EACCES" }],
  };

  test("lists the turns, shows what it would do, asks, and does it", async () => {
    const screen = open({ changed, rollback });
    await command(screen, "/rollback ");
    await screen.waitFor(/turn 2 {2}more · 2 files[\s\S]*› turn 1 {2}fix it · a.txt[\s\S]*before turn 1/);
    await pause(100);
    await screen.type("\r");
    await listening(
      screen,
      /will be overwritten:\n {4}c.txt[\s\S]*will be deleted:\n {4}b.txt[\s\S]*left alone[^\n]*:\n {4}lib/,
    );
    expect(screen.log()).not.toContain("rollback 1");
    await screen.type("y");
    await screen.waitForBuffer(/3 files brought back/);
    await screen.waitForBuffer(/cannot be brought back\n {2}big\.bin$/m);
    await screen.waitForBuffer(/not brought back\n {2}locked\.txt \(EACCES\)$/m);
    expect(screen.log()).toContain("rollback 1");
  });

  test("n leaves all as it is", async () => {
    const screen = open({ changed, rollback });
    await command(screen, "/rollback 0");
    await listening(screen, /before turn 1\?/);
    await screen.type("n");
    await screen.waitFor(PROMPT);
    expect(screen.log().some((line) => line.startsWith("rollback"))).toBe(false);
  });

  test("without changes there is nothing to do", async () => {
    const screen = open();
    await command(screen, "/rollback ");
    await screen.waitForBuffer(/No turn has changed a file yet/);
  });
});

describe("resuming", () => {
  test("the conversation is on the screen again, and Ctrl-O shows a whole result of it", async () => {
    const screen = open({ resume: "20261130-101010-ab12", history });
    await screen.waitForBuffer(/Session 20261130-101010-ab12/);
    const all = screen.buffer().join("\n");
    expect(all).toMatch(/› earlier question[\s\S]*earlier answer[\s\S]*run_shell cat x/);
    await screen.waitFor(IDLE);
    await screen.type("\u000f");
    await screen.waitForBuffer(/│ the whole file[\s\S]*│ the whole file/);
  });

  test("Ctrl-O unfolds what was thought, and then the result before it", async () => {
    const thought = {
      role: "assistant" as const,
      content: "It says so.",
      reasoning: `First ${"a ".repeat(60)}\nthen the end.`,
    };
    const screen = open({ resume: "20261130-101010-ab12", history: [...history, thought] });
    await screen.waitForBuffer(/Session 20261130-101010-ab12/);
    expect(screen.buffer().join("\n")).not.toContain("then the end.");
    await screen.waitFor(IDLE);
    await screen.type("\u000f");
    await screen.waitForBuffer(/· Thought\n[\s\S]*│ then the end\./);
    await screen.type("\u000f");
    await screen.waitForBuffer(/│ the whole file[\s\S]*│ the whole file/);
  });

  test("/resume lists earlier sessions and opens one", async () => {
    const screen = open({ past, history });
    await command(screen, "/resume ");
    await screen.waitFor(/› Old work {2}2026-11-30/);
    await pause(100);
    await screen.type("\r");
    await screen.waitForBuffer(/› earlier question/);
    expect(screen.log()).toEqual(expect.arrayContaining(["open resume", "close session-1"]));
  });

  test("one that cannot be opened leaves the present one open", async () => {
    const screen = open({ env: { SCREEN_FAIL_RESUME: "It is open in another process (pid 42)." } });
    await command(screen, "/resume nonsense");
    await screen.waitForBuffer(/\/resume did not work/);
    await screen.waitForBuffer("pid 42");
    await ask(screen, "still there");
    await screen.logged(/run still there/);
    expect(screen.log()).not.toContain("close session-1");
  });
});

describe("questions of the model", () => {
  const options = ["red", "green", "blue"];

  test.each([
    ["a digit", ["2"], '"green"'],
    ["arrows and Enter", ["\u001b[B", "\u001b[B", "\u001b[B", "\r"], '"blue"'],
    ["own words", ["e", "p", "i", "n", "k", "\r"], '"pink"'],
    ["Esc", ["\u001b"], "null"],
  ])("one of several: %s", async (_, keys, answer) => {
    const screen = open({ turns: [[{ question: "Which colour?", options }, { text: "thanks" }]] });
    await ask(screen, "go");
    await listening(screen, /Which colour\?[\s\S]*3\. blue/);
    for (const key of keys) {
      screen.send(key);
      await pause(120);
    }
    await screen.waitForBuffer(/thanks/);
    expect(screen.log()).toContain(`answered ${answer}`);
  });

  test("Enter answers nothing while no option is chosen", async () => {
    const screen = open({ turns: [[{ question: "Which colour?", options }]] });
    await ask(screen, "go");
    await listening(screen, /Which colour\?/);
    await screen.type("\r", "\r");
    await screen.waitFor("Which colour?");
  });

  test("several at once", async () => {
    const screen = open({ turns: [[{ question: "Which colours?", options, multi: true }, { text: "thanks" }]] });
    await ask(screen, "go");
    await listening(screen, /Which colours\?/);
    for (const key of ["1", "3", "1", "2", "\r"]) {
      screen.send(key);
      await pause(120);
    }
    await screen.waitForBuffer(/thanks/);
    expect(screen.log()).toContain('answered ["green","blue"]');
  });

  test("own words only", async () => {
    const screen = open({ turns: [[{ question: "What name?", options: [] }, { text: "thanks" }]] });
    await ask(screen, "go");
    await listening(screen, /What name\?/);
    for (const key of ["Z", "o", "e", "\r"]) {
      screen.send(key);
      await pause(120);
    }
    await screen.waitForBuffer(/thanks/);
    expect(screen.log()).toContain('answered "Zoe"');
  });
});

describe("plans and folders", () => {
  test.each([
    ["y", '{"approved":true,"mode":"interactive"}'],
    ["a", '{"approved":true,"mode":"auto"}'],
    ["n", '{"approved":false}'],
  ])("a plan stands above, whole, and %s answers", async (key, answer) => {
    const plan = `# The plan\n\n${Array.from({ length: 40 }, (_, n) => `${n + 1}. step`).join("\n")}`;
    const screen = open({ turns: [[{ plan }, { text: "thanks" }]] });
    await ask(screen, "go");
    await listening(screen, /Go on with this plan/);
    const all = screen.buffer().join("\n");
    expect(all).toContain("The plan");
    expect(all).toContain("40. step");
    await screen.type(key);
    await screen.waitForBuffer(/thanks/);
    expect(screen.log()).toContain(`plan ${answer}`);
  });

  test.each([
    ["y", '{"granted":true,"writable":true}'],
    ["r", '{"granted":true,"writable":false}'],
    ["n", '{"granted":false}'],
  ])("a folder: %s", async (key, answer) => {
    const screen = open({ turns: [[{ directory: "/data/set", writable: true }, { text: "thanks" }]] });
    await ask(screen, "go");
    await listening(screen, /\/data\/set \(to read and write\)/);
    await screen.type(key);
    await screen.waitForBuffer(/thanks/);
    expect(screen.log()).toContain(`directory ${answer}`);
  });
});

test("a prompt given beforehand is sent once the session is open", async () => {
  const screen = open({ prompt: "do it", turns: [[{ text: "done it" }]] });
  await screen.waitForBuffer(/› do it[\s\S]*done it/);
});

test("/retry goes on with the last turn, or says that there is nothing to try again", async () => {
  const screen = open({ turns: [[{ error: "lost", type: "network" }], [{ text: "whole now" }]] });
  await ask(screen, "go");
  await screen.waitForBuffer(/could not be reached/);
  await ask(screen, "/retry");
  await screen.waitForBuffer(/whole now/);
  await ask(screen, "/retry");
  await screen.waitForBuffer(/nothing to try again/);
  expect(screen.log().filter((line) => line === "retry")).toHaveLength(2);
});

test("an error says what happened and what to do, in three lines at most, and keeps what was typed", async () => {
  const screen = open({ turns: [[{ wait: 500 }, { error: "401 Incorrect API key provided", type: "auth" }]] });
  await ask(screen, "go");
  await screen.waitFor(/Esc stops/);
  await screen.type("d", "r", "a", "f", "t");
  await screen.waitForBuffer(/Check OPENAI_API_KEY/);
  await screen.waitForBuffer("401 Incorrect API key provided");
  await screen.waitFor(/^❯ draft$/m);
});
