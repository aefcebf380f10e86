import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CommandOutput } from "../../src/tools/shell/CommandOutput";
import { KeptText } from "../../src/tools/shell/keptText";
import { createLiveOutput } from "../../src/tools/shell/liveOutput";
import { cutText, outputText } from "../../src/tools/shell/shellReport";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zqagent-output-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function textOf(chunks: Buffer[]): string {
  const output = new CommandOutput();
  for (const chunk of chunks) output.feed("stdout", chunk);
  output.end();
  return output.settled().from(0).text;
}

describe("what is shown of a stream", () => {
  const rows: [string, string, string][] = [
    ["colours", "\x1b[1;31mred\x1b[0m", "red"],
    ["a title", "\x1b]0;title\x07a", "a"],
    ["a title ended by ST", "\x1b]0;title\x1b\\a", "a"],
    ["a link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["device control", "\x1bP1$r0m\x1b\\a", "a"],
    ["C1 forms", "\x9b31mred\x9d0;t\x9ca", "reda"],
    ["cursor and charset", "\x1b(B\x1b7\x1b[2J\x1b[?25la", "a"],
    ["backspace, bell, form feed", "a\b\x07\fb", "ab"],
    ["tabs stay", "a\tb", "a\tb"],
    ["a progress line", "10%\r20%\r30%\ndone\n", "30%\ndone\n"],
    ["dos line ends", "a\r\nb\r\r\n", "a\nb\n"],
    ["a return at the end", "last\r", "last"],
    ["an escape that never ends", "a\x1b[3", "a"],
    ["a title that never ends", `a\x1b]0;${"x".repeat(5000)}`, `a]0;${"x".repeat(5000)}`],
    ["other scripts", "中文 ünï 🙂\n", "中文 ünï 🙂\n"],
  ];
  test.each(rows)("%s", (_name, raw, shown) => expect(textOf([Buffer.from(raw)])).toBe(shown));

  test("does not depend on how it was cut into pieces", () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        "\r",
        "\n",
        "\r\n",
        "\x1b[31m",
        "\x1b]0;t\x07",
        "\x1b]8;;u\x1b\\",
        "中",
        "🙂",
        "\x1b(B",
        "\t",
        "\b",
      ),
      fc.string({ maxLength: 4 }).map((text) => text.replaceAll("\0", "")),
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.array(fc.nat(60)), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(""));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        expect(textOf(chunks)).toBe(textOf([bytes]));
      }),
      { numRuns: 1_000, examples: [[[" ", "\r", "\r"], [2]]] },
    );
  });

  test("no input crashes it, and no control character comes through", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        expect(textOf(chunks.map((chunk) => Buffer.from(chunk)))).toMatch(/^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$/);
      }),
    );
  });

  test("binary is told from text by pipe", () => {
    const output = new CommandOutput();
    output.feed("stdout", Buffer.alloc(182_000));
    output.feed("stderr", Buffer.from("warning\n"));
    output.end();
    expect(outputText(output)).toBe("warning\n[binary output, 182 KB, not shown]");
  });
});

describe("KeptText", () => {
  test("gives back everything that fits, from any position", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(200), (parts, position) => {
        const kept = new KeptText();
        for (const part of parts) kept.append(part);
        const whole = parts.join("");
        expect(kept.from(position)).toEqual({ text: whole.slice(position), lost: 0 });
        expect(kept.length).toBe(whole.length);
      }),
    );
  });

  test("past a megabyte keeps head and tail, and the whole in the file", () => {
    const file = join(folder, "deep", "out.txt");
    const kept = new KeptText(file);
    const lines = Array.from({ length: 300_000 }, (_, n) => `line ${n}\n`);
    for (const line of lines) kept.append(line);
    kept.close();
    const whole = lines.join("");
    expect(kept.length).toBe(whole.length);
    expect(kept.saved).toEqual({ file, whole: true });
    expect(readFileSync(file, "utf8")).toBe(whole);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { text, lost } = kept.from(0);
    expect(text.length).toBeLessThan(1_100_000);
    expect(text.length + lost).toBe(whole.length);
    expect(whole.startsWith(text.slice(0, 200_000)) && whole.endsWith(text.slice(-300_000))).toBe(true);
    expect(kept.from(whole.length - 10)).toEqual({ text: whole.slice(-10), lost: 0 });
    expect(cutText(kept)).toMatch(
      /^\[3,488,890 characters, middle left out; all of it is in .*\]\nline 0\n[\s\S]*\n\[…\]\nline/,
    );
  });

  test("stops writing at 50 MB and says that the file is not the whole", () => {
    const file = join(folder, "out.txt");
    const kept = new KeptText(file);
    const piece = "x".repeat(1_000_000);
    for (let n = 0; n < 60; n++) kept.append(piece);
    kept.close();
    expect(kept.saved).toEqual({ file, whole: false });
    expect(statSync(file).size).toBeLessThan(53_000_000);
  });

  test("a file that cannot be made is not claimed", () => {
    const kept = new KeptText("/dev/null/out.txt");
    for (let n = 0; n < 3; n++) kept.append("x".repeat(1_000_000));
    expect(kept.saved).toBeNull();
    expect(kept.isCut).toBe(true);
  });
});

describe("live output", () => {
  test("a return speaks of the line already sent", () => {
    const sent: string[] = [];
    const live = createLiveOutput((chunk) => sent.push(chunk));
    for (const text of ["10%", "\r20%", "\r", "30%\r40%", "\ndone\n"]) {
      live.take(text);
      live.flush();
    }
    live.finish();
    live.take("too late");
    live.flush();
    expect(sent).toEqual(["10%", "\r20%", "\r40%", "\ndone\n"]);
  });
});
