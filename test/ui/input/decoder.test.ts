import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputDecoder } from "../../../src/ui/input/decoder";
import type { InputEvent } from "../../../src/ui/input/inputEvents";
import { ManualTimers } from "./manualTimers";

/** A decoder with a clock of the test's own. */
function createDecoder(escapeWaitMs = 50) {
  const events: InputEvent[] = [];
  const timers = new ManualTimers();
  const decoder = new InputDecoder({ escapeWaitMs, onEvent: (event) => events.push(event), timers });
  return { decoder, events, timers, type: (text: string | Buffer) => decoder.feed(Buffer.from(text as string)) };
}

/** One event in one word: `text:ab`, `ctrl+left`, `paste:x`, `reply:da1`, `focus:in`. */
function word(event: InputEvent): string {
  switch (event.type) {
    case "text":
      return `text:${event.text}`;
    case "paste":
      return `paste${event.unfinished ? "!" : ""}:${event.text}`;
    case "focus":
      return `focus:${event.focused ? "in" : "out"}`;
    case "reply":
      return `reply:${event.kind}:${event.value}`;
    case "key":
      return `${event.ctrl ? "ctrl+" : ""}${event.alt ? "alt+" : ""}${event.shift ? "shift+" : ""}${event.name}`;
  }
}

/** What bytes in one read come to, after all waiting. */
function decode(text: string | Buffer): string[] {
  const { events, timers, type } = createDecoder();
  type(text);
  timers.pass(100_000);
  return events.map(word);
}

describe("keys", () => {
  it.each<[string, string, string[]]>([
    ["letters", "ab", ["text:ab"]],
    ["CJK and emoji", "你👨‍👩‍👧", ["text:你👨‍👩‍👧"]],
    ["Enter", "\r", ["enter"]],
    ["Ctrl-J", "\n", ["ctrl+j"]],
    ["Tab and Shift-Tab", "\t\u001b[Z", ["tab", "shift+tab"]],
    ["many backspaces in one read", "\u007f\u007f\b", ["backspace", "backspace", "backspace"]],
    ["Ctrl keys", "\u0001\u0003\u001f\u0000", ["ctrl+a", "ctrl+c", "ctrl+_", "ctrl+ "]],
    ["Alt keys", "\u001bb\u001bF\u001b\u007f\u001b\r", ["alt+b", "alt+shift+f", "alt+backspace", "alt+enter"]],
    ["arrows of both modes", "\u001b[A\u001bOB\u001b[C\u001bOD", ["up", "down", "right", "left"]],
    [
      "arrows with modifiers",
      "\u001b[1;5C\u001b[1;3D\u001b[1;2A\u001bO5A",
      ["ctrl+right", "alt+left", "shift+up", "ctrl+up"],
    ],
    ["arrows behind an extra ESC", "\u001b\u001b[A", ["alt+up"]],
    [
      "rxvt's modified keys",
      "\u001b[a\u001bOa\u001b[3$\u001b[3^",
      ["shift+up", "ctrl+up", "shift+delete", "ctrl+delete"],
    ],
    [
      "editing keys",
      "\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[2~\u001b[3~\u001b[5~\u001b[6~",
      ["home", "end", "home", "end", "insert", "delete", "pageup", "pagedown"],
    ],
    [
      "function keys",
      "\u001bOP\u001b[11~\u001b[[A\u001b[15~\u001b[24~\u001b[1;5P",
      ["f1", "f1", "f1", "f5", "f12", "ctrl+f1"],
    ],
    ["the keypad in application mode", "\u001bOj\u001bOp\u001bOM", ["text:*0", "enter"]],
    ["Escape and Escape", "\u001b\u001b", ["escape", "escape"]],
    ["Escape, then text that is no sequence", "\u001b\u001bx", ["escape", "alt+x"]],
    ["Alt with what introduces sequences", "\u001b]x", ["alt+]", "text:x"]],
  ])("%s", (_, bytes, expected) => expect(decode(bytes)).toEqual(expected));
});

describe("keyboard protocols", () => {
  it.each<[string, string, string[]]>([
    ["Shift-Enter in both", "\u001b[13;2u\u001b[27;2;13~", ["shift+enter", "shift+enter"]],
    ["Escape, Tab, Backspace as numbers", "\u001b[27u\u001b[9u\u001b[127u", ["escape", "tab", "backspace"]],
    ["Ctrl and Alt with letters", "\u001b[97;5u\u001b[27;3;98~\u001b[99;5u", ["ctrl+a", "alt+b", "ctrl+c"]],
    ["a plain letter and a shifted one", "\u001b[97;1u\u001b[97;2u\u001b[49:33;2u", ["text:aA!"]],
    [
      "a release is nothing, a repeat is a key",
      "\u001b[97;1u\u001b[97;1:3u\u001b[97;1:2u\u001b[1;1:3A\u001b[3;1:3~",
      ["text:aa"],
    ],
    [
      "Ctrl-[, -i, -m, -h keep their old names",
      "\u001b[91;5u\u001b[105;5u\u001b[109;5u\u001b[104;5u",
      ["escape", "tab", "enter", "backspace"],
    ],
    ["Ctrl-_ as its two ways", "\u001b[45;6u\u001b[47;5u", ["ctrl+_", "ctrl+_"]],
    ["the keypad", "\u001b[57400u\u001b[57414u\u001b[57417u", ["text:1", "enter", "left"]],
    ["caps lock is no modifier, Super types nothing", "\u001b[97;65u\u001b[97;9u\u001b[57358u", ["text:a"]],
  ])("%s", (_, bytes, expected) => expect(decode(bytes)).toEqual(expected));
});

describe("answers of the terminal", () => {
  it.each<[string, string, string[]]>([
    ["device attributes", "\u001b[?62;22c\u001b[>0;276;0c", ["reply:da1:62;22", "reply:da2:0;276;0"]],
    [
      "background colour",
      "\u001b]11;rgb:1e1e/1e1e/1e1e\u0007\u001b]11;rgb:0/0/0\u001b\\",
      ["reply:osc:11;rgb:1e1e/1e1e/1e1e", "reply:osc:11;rgb:0/0/0"],
    ],
    ["cursor position", "\u001b[12;40R", ["reply:cpr:12;40"]],
    ["kitty flags", "\u001b[?1u", ["reply:kitty:1"]],
    ["mode reports", "\u001b[?2026;2$y\u001b[0n", ["reply:mode:2026;2", "reply:dsr:0"]],
    [
      "version and graphics",
      "\u001bP>|xterm(390)\u001b\\\u001b_Gi=1;OK\u001b\\",
      ["reply:dcs:>|xterm(390)", "reply:apc:Gi=1;OK"],
    ],
    ["focus", "\u001b[I\u001b[O", ["focus:in", "focus:out"]],
    ["mouse, new and old", "\u001b[<64;10;10M\u001b[<0;1;1m\u001b[M !!", []],
    ["sequences that nobody knows", "\u001b[?99;1z\u001b[5 q\u001b[77~", []],
  ])("%s", (_, bytes, expected) => expect(decode(`${bytes}`)).toEqual(expected));
});

describe("reads that split", () => {
  it("joins a character cut in its bytes", () => {
    const { events, type } = createDecoder();
    const bytes = Buffer.from("好");
    type(bytes.subarray(0, 1));
    type(bytes.subarray(1));
    expect(events.map(word)).toEqual(["text:好"]);
  });

  it("waits for the rest of an arrow, but not for ever", () => {
    const slow = createDecoder(100);
    slow.type("\u001b");
    slow.timers.pass(30);
    slow.type("[D");
    expect(slow.events.map(word)).toEqual(["left"]);
    const lone = createDecoder(50);
    lone.type("\u001b");
    lone.timers.pass(49);
    expect(lone.events).toEqual([]);
    lone.timers.pass(1);
    expect(lone.events.map(word)).toEqual(["escape"]);
  });

  it("gives up a sequence that never ends, and what follows is typed again", () => {
    const { events, timers, type } = createDecoder();
    type("\u001b]11;rgb");
    timers.pass(1000);
    type("x");
    expect(events.map(word)).toEqual(["text:x"]);
  });
});

describe("bracketed paste", () => {
  it.each<[string, string, string[]]>([
    ["line ends become LF", "\u001b[200~a\rb\r\nc\u001b[201~", ["paste:a\nb\nc"]],
    [
      "sequences and controls go",
      "\u001b[200~a\u001b[31mred\u001b[0mb\u0007\u001b]52;c;x\u0007\u001b[201~",
      ["paste:aredb"],
    ],
    ["keys around it", "x\u001b[200~y\u001b[201~z", ["text:x", "paste:y", "text:z"]],
    ["the return in the same read is pasted too", "\u001b[200~hello\u001b[201~\r", ["paste:hello", "text:\n"]],
    [
      "an end mark inside does not free what follows",
      "\u001b[200~\u001b[200~hello\u001b[201~\r\u001b[201~",
      ["paste:hello", "text:\n"],
    ],
    ["an end mark alone is nothing", "\u001b[201~", []],
    ["empty", "\u001b[200~\u001b[201~", ["paste:"]],
  ])("%s", (_, bytes, expected) => expect(decode(bytes)).toEqual(expected));

  it("comes whole in any number of reads", () => {
    const { events, type } = createDecoder();
    for (const part of ["\u001b[20", "0~hel", "lo\u001b[20", "1~!"]) type(part);
    expect(events.map(word)).toEqual(["paste:hello", "text:!"]);
  });

  it("is not sent by a hidden end mark and return in later reads", () => {
    const { events, timers, type } = createDecoder();
    type("\u001b[200~");
    timers.pass(40);
    type("good\u001b[201~\revil");
    type("\u001b[201~");
    timers.pass(1000);
    expect(events.map(word)).toEqual(["paste:good", "text:\nevil"]);
  });

  it("can be sent by a return of its own", () => {
    const { events, timers, type } = createDecoder();
    type("\u001b[200~long");
    type(" text\u001b[201~");
    type("\r");
    timers.pass(30);
    expect(events.map(word)).toEqual(["paste:long text", "enter"]);
  });

  it("without an end mark ends after 30 s of it and a pause, and says so", () => {
    const { events, timers, type } = createDecoder();
    type("\u001b[200~lost");
    timers.pass(29_999);
    expect(events).toEqual([]);
    timers.pass(1_000);
    expect(events.map(word)).toEqual(["paste!:lost"]);
    timers.pass(1_000);
    type("x");
    expect(events.map(word)).toEqual(["paste!:lost", "text:x"]);
  });
});

describe("bursts without brackets", () => {
  it.each<[string, string, string[]]>([
    ["returns between lines are line ends", "one\rtwo\rthree", ["text:one\ntwo\nthree"]],
    ["the last return of several lines is one too", "one\rtwo\r", ["text:one\ntwo\n"]],
    ["CR LF is one line end", "one\r\ntwo", ["text:one\ntwo"]],
    ["blank lines stay", "a\r\rb", ["text:a\n\nb"]],
    ["tabs of pasted code are text", "if x:\r\ty\r\tz", ["text:if x:\n\ty\n\tz"]],
    ["a line typed ahead is sent when nothing follows", "go\r", ["text:go", "enter"]],
    ["a tab typed ahead completes", "/he\t", ["text:/he", "tab"]],
  ])("%s", (_, bytes, expected) => expect(decode(bytes)).toEqual(expected));

  it("takes a return that comes later as Enter at once", () => {
    const { events, timers, type } = createDecoder();
    type("go");
    timers.pass(31);
    type("\r");
    expect(events.map(word)).toEqual(["text:go", "enter"]);
  });

  it("ends by its timer, not by the next key", () => {
    const { events, timers, type } = createDecoder();
    type("a\rb");
    timers.pass(40);
    type("\r");
    expect(events.map(word)).toEqual(["text:a\nb", "enter"]);
  });
});

describe("a key alone", () => {
  const aloneness = (events: InputEvent[]) => events.map((event) => [word(event), "alone" in event && event.alone]);

  it("is told from keys in company", () => {
    const { events, timers, type } = createDecoder();
    type("y");
    timers.pass(31);
    type("\u001b[B");
    timers.pass(10);
    type("y");
    timers.pass(31);
    type("yy");
    timers.pass(31);
    type("y\u001b[B");
    timers.pass(31);
    type("\u001b[Iy");
    expect(aloneness(events)).toEqual([
      ["text:y", true],
      ["down", true],
      ["text:y", false],
      ["text:yy", false],
      ["text:y", false],
      ["down", false],
      ["focus:in", false],
      ["text:y", false],
    ]);
  });

  it("may be Escape, also when its wait ends it", () => {
    const { events, timers, type } = createDecoder();
    type("\u001b");
    timers.pass(50);
    expect(aloneness(events)).toEqual([["escape", true]]);
  });

  it("is never a return behind text, nor the text before it", () => {
    const { events, timers, type } = createDecoder();
    type("y\r");
    timers.pass(1000);
    expect(aloneness(events)).toEqual([
      ["text:y", false],
      ["enter", false],
    ]);
  });
});

describe("any split of any bytes", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "a",
      "你",
      "👨‍👩‍👧",
      "\r",
      "\n",
      "\t",
      "\u007f",
      "\u001b",
      "\u001b[A",
      "\u001b[1;5C",
      "\u001bOP",
      "\u001b[13;2u",
      "\u001b[?62c",
    ),
    fc.constantFrom(
      "\u001b[200~",
      "\u001b[201~",
      "\u001b]11;rgb:0/0/0\u0007",
      "\u001b[<0;1;1M",
      "\u001b[27;2;13~",
      "\u001b\u001b",
      "\u001b[",
      "\u001b[M",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(""))),
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
  );

  /** Neighbouring text is one text however it was cut, and what a paste and its return share a read with depends on reads. */
  function flow(reads: Buffer[]): string[] {
    const { events, timers, type } = createDecoder();
    for (const read of reads) type(read);
    timers.pass(100_000);
    const words: string[] = [];
    for (const event of events) {
      const last = words.at(-1);
      if (event.type === "text" && last?.startsWith("text:")) words[words.length - 1] = last + event.text;
      else words.push(word(event));
    }
    return words;
  }

  it("gives the same events", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 6 }), (all, cuts) => {
        // The one thing that a read decides: whether a return right behind a paste came with it (see the burst).
        fc.pre(!/\u001b\[201~(\u001b[^\r]*)?\r/.test(all.toString()));
        const places = [...new Set(cuts.map((cut) => Math.min(cut, all.length)))].sort((a, b) => a - b);
        const reads = [0, ...places].map((start, i) => all.subarray(start, places[i] ?? all.length));
        expect(flow(reads)).toEqual(flow([all]));
      }),
      { numRuns: 2000 },
    );
  });
});
