import { describe, expect, test } from "vitest";
import { draftText } from "../../../src/ui/state/draft";
import { approval, ScreenBench } from "./stateBench";

const draftOf = (bench: ScreenBench) => draftText(bench.state.draft);

describe("sending", () => {
  test("Enter sends the draft and empties the box", () => {
    const bench = new ScreenBench().type("hello").key("enter");
    expect(bench.effects).toEqual([{ kind: "run", prompt: "hello" }]);
    expect(draftOf(bench)).toBe("");
  });

  test.each([
    ["shift+enter", { shift: true }, "enter"],
    ["alt+enter", { alt: true }, "enter"],
    ["ctrl+j", { ctrl: true }, "j"],
  ])("%s makes a new line", (_, modifiers, name) => {
    const bench = new ScreenBench().type("a").key(name, modifiers).type("b");
    expect(draftOf(bench)).toBe("a\nb");
    expect(bench.effects).toEqual([]);
  });

  test("a backslash and Enter make a new line", () => {
    expect(draftOf(new ScreenBench().type("a\\").key("enter").type("b"))).toBe("a\nb");
  });

  test("blanks are not sent", () => {
    expect(new ScreenBench().type("  ").key("enter").effects).toEqual([]);
  });

  test("what is sent before the session is there goes out when it is", () => {
    const bench = new ScreenBench().do({ type: "opening" }).type("early").key("enter");
    expect(bench.effects).toEqual([]);
    expect(bench.screen()).toContain("early");
    bench.do({ type: "opened", status: bench.state.status });
    expect(bench.effects).toEqual([{ kind: "run", prompt: "early" }]);
  });
});

describe("while a turn runs", () => {
  test("Enter steers, Tab waits for the end; both are shown", () => {
    const bench = new ScreenBench().start().type("now this").key("enter").type("then that").key("tab");
    expect(bench.last("steer")).toEqual({ kind: "steer", text: "now this" });
    expect(bench.state.queue).toEqual([
      { text: "now this", when: "now" },
      { text: "then that", when: "later" },
    ]);
    expect(bench.screen()).toMatch(/now this \(queued/);
    expect(bench.screen()).toMatch(/then that \(after this turn/);
  });

  test("steering that the model got is no longer queued, and stands above", () => {
    const bench = new ScreenBench().start().type("now this").key("enter").emit("queue_steering", { text: "now this" });
    expect(bench.state.queue).toEqual([]);
    expect(bench.printed).toContainEqual({ kind: "user", text: "now this" });
  });

  test("what came too late goes out as prompts once the turn is whole, each once", () => {
    const bench = new ScreenBench().start().type("one").key("enter").type("two").key("tab").type("three").key("tab");
    const end = { type: "ended", status: "completed", iterations: 1, files: [] } as const;
    bench.do(end);
    expect(bench.last("run")).toEqual({ kind: "run", prompt: "one" });
    bench.do({ type: "started" }).do(end);
    expect(bench.last("run")).toEqual({ kind: "run", prompt: "two" });
    bench.do({ type: "started" }).do(end);
    expect(bench.last("run")).toEqual({ kind: "run", prompt: "three" });
    bench.do({ type: "started" }).do(end);
    expect(bench.effects.filter((effect) => effect.kind === "run")).toHaveLength(4);
    expect(bench.state.phase).toBe("idle");
  });

  test("a turn that was stopped or broke gives all queued texts back", () => {
    for (const status of ["interrupted", "error", "max_iterations_exceeded"] as const) {
      const bench = new ScreenBench().start().type("keep me").key("enter").type("a draft");
      bench.do({ type: "ended", status, iterations: 1, files: [] });
      expect(bench.last("takeBack")).toBeDefined();
      bench.do({ type: "tookBack", texts: bench.state.queue });
      expect(draftOf(bench)).toBe("keep me\na draft");
      expect(bench.state.queue).toEqual([]);
    }
  });

  test("up takes back what is queued when the box is empty", () => {
    const bench = new ScreenBench().start().type("keep me").key("enter").key("up");
    expect(bench.last("takeBack")).toEqual({ kind: "takeBack" });
  });

  test("Esc stops it; a draft stays", () => {
    const bench = new ScreenBench().start().type("draft").key("escape");
    expect(bench.last("interrupt")).toEqual({ kind: "interrupt" });
    expect(draftOf(bench)).toBe("draft");
    expect(bench.screen()).toContain("Stopping");
  });

  test("a command that needs quiet stays in the box", () => {
    const bench = new ScreenBench().start().type("/new").key("enter");
    expect(bench.last("command")).toBeUndefined();
    expect(bench.screen()).toMatch(/Esc stops it, then \/new works/);
    expect(draftOf(bench)).toMatch(/^\/new/);
  });
});

describe("Ctrl-C and Ctrl-D", () => {
  test("first clears the draft, and undo brings it back", () => {
    const bench = new ScreenBench().type("precious").key("c", { ctrl: true });
    expect(draftOf(bench)).toBe("");
    expect(draftOf(bench.key("_", { ctrl: true }))).toBe("precious");
  });

  test("then stops the turn, and a second press leaves", () => {
    const bench = new ScreenBench().start().key("c", { ctrl: true });
    expect(bench.last("interrupt")).toBeDefined();
    expect(bench.last("leave")).toBeUndefined();
    bench.later(1_900).key("c", { ctrl: true });
    expect(bench.last("leave")).toBeDefined();
  });

  test("two presses far apart do not leave", () => {
    const bench = new ScreenBench().key("c", { ctrl: true }).later(2_000).key("c", { ctrl: true });
    expect(bench.last("leave")).toBeUndefined();
    expect(bench.screen()).toContain("Press Ctrl-C again to leave");
  });

  test("Ctrl-D leaves only on an empty box", () => {
    const bench = new ScreenBench().type("ab").key("home").key("d", { ctrl: true });
    expect(draftOf(bench)).toBe("b");
    expect(bench.effects).toEqual([]);
    bench.key("d", { ctrl: true }).key("d", { ctrl: true });
    expect(bench.effects).toEqual([{ kind: "leave" }]);
  });
});

describe("commands", () => {
  test("the list opens with a slash, narrows, and Enter takes the chosen one", () => {
    const bench = new ScreenBench().type("/");
    for (const name of ["help", "model", "mode", "new", "compact", "diff", "rollback", "resume", "quit"])
      expect(bench.screen()).toContain(`/${name}`);
    bench.type("ro");
    expect(bench.screen()).not.toContain("/help");
    bench.key("enter");
    expect(bench.effects).toEqual([{ kind: "command", name: "rollback", argument: "" }]);
  });

  test("Tab completes, and an argument may follow", () => {
    const bench = new ScreenBench().type("/mod").key("tab");
    expect(draftOf(bench)).toBe("/model ");
    bench.type("gpt-x").key("enter");
    expect(bench.effects).toEqual([{ kind: "command", name: "model", argument: "gpt-x" }]);
  });

  test("Esc closes the list and keeps the text", () => {
    const bench = new ScreenBench().type("/he").key("escape");
    expect(bench.state.completion).toBeNull();
    expect(draftOf(bench)).toBe("/he");
  });

  test("/exit is /quit", () => {
    expect(new ScreenBench().type("/exit").key("enter").effects).toEqual([
      { kind: "command", name: "quit", argument: "" },
    ]);
  });

  test("an unknown one is said and stays in the box", () => {
    const bench = new ScreenBench().type("/frobnicate").key("enter");
    expect(bench.printed).toContainEqual(expect.objectContaining({ text: "commandUnknown" }));
    expect(draftOf(bench)).toBe("/frobnicate");
    expect(bench.effects).toEqual([]);
  });

  test("a path is a prompt", () => {
    expect(new ScreenBench().type("/etc/hosts is odd").key("enter").effects).toEqual([
      { kind: "run", prompt: "/etc/hosts is odd" },
    ]);
  });
});

describe("history", () => {
  test("up and down walk through earlier texts and keep the draft", () => {
    const bench = new ScreenBench().do({ type: "remembered", entries: ["first", "second"] }).type("draft");
    expect(draftOf(bench.key("up"))).toBe("second");
    expect(draftOf(bench.key("up"))).toBe("first");
    expect(draftOf(bench.key("down").key("down"))).toBe("draft");
  });

  test("in a draft of several rows the caret moves first", () => {
    const bench = new ScreenBench()
      .do({ type: "remembered", entries: ["older"] })
      .type("one")
      .key("j", { ctrl: true })
      .type("two");
    expect(draftOf(bench.key("up"))).toBe("one\ntwo");
    expect(draftOf(bench.key("up"))).toBe("older");
    expect(draftOf(bench.key("down"))).toBe("one\ntwo");
  });

  test("what was sent is the newest", () => {
    const bench = new ScreenBench()
      .start("sent")
      .do({ type: "ended", status: "completed", iterations: 1, files: [] })
      .key("up");
    expect(draftOf(bench)).toBe("sent");
  });

  test("Ctrl-R searches; Esc gives the draft back, Enter takes the match without sending it", () => {
    const bench = new ScreenBench().do({ type: "remembered", entries: ["fix the parser", "run tests"] }).type("draft");
    bench.key("r", { ctrl: true }).type("pars");
    expect(bench.screen()).toContain("❯ fix the parser");
    expect(draftOf(bench.key("escape"))).toBe("draft");
    bench.key("r", { ctrl: true }).type("pars").key("enter");
    expect(draftOf(bench)).toBe("fix the parser");
    expect(bench.effects).toEqual([]);
  });
});

describe("other keys", () => {
  test("? on an empty box opens the keys; typing closes them and goes on", () => {
    const bench = new ScreenBench().type("?");
    expect(bench.screen()).toContain("Shift-Tab");
    bench.type("a?");
    expect(draftOf(bench)).toBe("a?");
    expect(bench.screen()).not.toContain("Shift-Tab");
  });

  test("Shift-Tab goes to the next mode", () => {
    expect(new ScreenBench().key("tab", { shift: true }).effects).toEqual([{ kind: "setMode", mode: "auto" }]);
  });

  test("Ctrl-O shows the last result, or running output at length", () => {
    const bench = new ScreenBench().key("o", { ctrl: true });
    expect(bench.last("showResult")).toBeDefined();
    bench
      .start()
      .emit("tool_proposed", { reqId: "1", name: "run_shell", arguments: {} })
      .emit("tool_started", { reqId: "1", name: "run_shell" });
    bench.emit("tool_output", {
      reqId: "1",
      name: "run_shell",
      chunk: Array.from({ length: 12 }, (_, n) => `out ${n}.`).join("\n"),
    });
    expect(bench.screen()).not.toContain("out 3.");
    bench.key("o", { ctrl: true });
    expect(bench.screen()).toContain("out 3.");
  });

  test("pastes with many lines stand as one marker and are sent whole", () => {
    const text = Array.from({ length: 30 }, (_, n) => `line ${n} $& $1 \\1`).join("\n");
    const bench = new ScreenBench().event({ type: "paste", text });
    expect(bench.screen()).not.toContain("line 15");
    bench.key("enter");
    expect(bench.effects).toEqual([{ kind: "run", prompt: text }]);
  });

  test("replies and focus of the terminal change nothing", () => {
    const bench = new ScreenBench().type("x");
    const before = bench.state;
    bench.event({ type: "reply", kind: "da1", value: "62" }).event({ type: "focus", focused: false });
    expect(bench.state).toBe(before);
  });
});

describe("requests", () => {
  test("over a draft a request waits, and keys go to the draft", () => {
    const bench = new ScreenBench().start().type("dra").ask(approval("rm x")).written().later(5_000).type("yft");
    expect(draftOf(bench)).toBe("drayft");
    expect(bench.screen()).toMatch(/run_shell waits for your answer: Ctrl-T opens it/);
    expect(bench.last("answer")).toBeUndefined();
  });

  test("opened by Ctrl-T, its guard begins with the first written frame", () => {
    const bench = new ScreenBench().start().type("d").ask(approval("rm x")).later(5_000).key("t", { ctrl: true });
    expect(bench.press("y").last("answer")).toBeUndefined();
    bench.written().later(499);
    expect(bench.press("y").last("answer")).toBeUndefined();
    expect(bench.later(499).press("y").last("answer"), "a key that was ignored begins it anew").toBeUndefined();
    expect(bench.later(500).press("y").last("answer")).toEqual({ kind: "answer", id: 1, answer: { outcome: "once" } });
    expect(draftOf(bench)).toBe("d");
  });

  test("one that comes to the front over a draft parks itself", () => {
    const bench = new ScreenBench().start().ask(approval("one")).ask(approval("two"));
    bench.type("x");
    expect(draftOf(bench)).toBe("");
    bench.written().later(600).press("n");
    expect(bench.state.dialogs[0]?.parked).toBe(false);
    const other = new ScreenBench()
      .start()
      .type("d")
      .ask(approval("one"))
      .key("t", { ctrl: true })
      .ask(approval("two"));
    other.written().later(600).press("n");
    expect(other.state.dialogs[0]?.parked).toBe(true);
  });

  test("the count of waiting requests is shown", () => {
    const bench = new ScreenBench().start().ask(approval("one")).ask(approval("two"));
    expect(bench.screen()).toContain("(1 of 2)");
  });

  test("Ctrl-C in a dialog stops the turn, at once", () => {
    const bench = new ScreenBench().start().ask(approval("one")).key("c", { ctrl: true });
    expect(bench.last("interrupt")).toBeDefined();
  });
});
