import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalFields } from "../../src/render/approvals";
import { MarkdownRenderer } from "../../src/render/MarkdownRenderer";
import {
  collapseBlanks,
  modelText,
  OutputSanitizer,
  PlainStream,
  plainText,
  sanitizeText,
  visibleLine,
  visibleText,
} from "../../src/render/sanitize";
import { wrapText } from "../../src/render/width";

interface Case {
  id: string;
  kind: string;
  where: string;
  input: string | string[];
  mustNotReach?: string[];
  mustShow?: string[];
}

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, "cases/terminal.json"), "utf8")) as {
  cases: Case[];
};

/** What stands on the screen for text from each place, by the functions that the screen uses there. */
const places: Record<string, (input: string[]) => Promise<string> | string> = {
  tool_output: ([text = ""]) => sanitizeText(text),
  mcp_output: ([text = ""]) => sanitizeText(text),
  piped_mode: ([text = ""]) => sanitizeText(text, { color: false }),
  tool_output_stream: (chunks) => {
    const sanitizer = new OutputSanitizer();
    return [...chunks.flatMap((chunk) => sanitizer.push(chunk)), sanitizer.line].join("\n");
  },
  model_text: async ([text = ""]) => (await MarkdownRenderer.create({ hyperlinks: true })).render(text),
  file_name: ([text = ""]) => visibleLine(text),
  status: ([text = ""]) => visibleLine(text),
  mcp_description: ([text = ""]) => visibleText(text),
  approval_command: ([command = ""]) => {
    const request = { toolName: "run_shell", reason: "r", arguments: { command } };
    const value = approvalFields(request as never).find((field) => field.label === "command")?.value ?? "";
    return wrapText(value, 80, { maxChars: Number.POSITIVE_INFINITY }).join("\n");
  },
};

describe("text from places that nobody can trust", () => {
  it.each(cases.filter((one) => places[one.where]).map((one) => [one.id, one.kind, one] as const))(
    "%s %s",
    async (_, __, one) => {
      const shown = await places[one.where]!([one.input].flat());
      for (const bytes of one.mustNotReach ?? []) expect(shown).not.toContain(bytes);
      for (const text of one.mustShow ?? []) expect(shown.replaceAll("\n", "")).toContain(text.replaceAll("\n", ""));
    },
  );
});

describe("output of programs", () => {
  it.each<[string, string, string]>([
    ["plain colours stay and are closed", "\u001b[31mred\u001b[0m", "\u001b[31mred\u001b[0m"],
    [
      "an open colour is closed at the line end and opened again",
      "\u001b[1;32ma\nb",
      "\u001b[1;32ma\u001b[0m\n\u001b[1;32mb\u001b[0m",
    ],
    ["conceal, blinking and fonts go", "\u001b[8mhidden\u001b[5m\u001b[11m!", "hidden!"],
    [
      "true colour and palette in both notations",
      "\u001b[38;2;1;2;3ma\u001b[48:5:9mb",
      "\u001b[38;2;1;2;3ma\u001b[0m\u001b[38;2;1;2;3;48;5;9mb\u001b[0m",
    ],
    ["a colour on itself is seen", "\u001b[31;41mx", "\u001b[31mx\u001b[0m"],
    ["white and grey follow the background", "\u001b[97ma\u001b[90mb", "a\u001b[2mb\u001b[0m"],
    ["a carriage return overwrites", "10%\r50%\r100%", "100%"],
    ["what is not overwritten stays", "abcdef\rxy", "xycdef"],
    ["erasing a line from its beginning", "downloading\r\u001b[Kdone", "done"],
    ["erasing elsewhere hides nothing", "rm -rf\u001b[2K ls", "rm -rf ls"],
    ["CR LF is a line end", "a\r\nb", "a\nb"],
    ["backspaces overwrite", "rm\b\bls", "ls"],
    ["bold by overstriking", "b\bbo\bold\bd", "bold"],
    ["tabs go to their stops", "a\tb\n你\tc", "a       b\n你      c"],
    ["half a wide character leaves a blank", "你好\rab好\b\bx", "abx "],
    ["a mark belongs to its letter", "e\u0301x\ry", "yx"],
    ["an unfinished control string ends with its line", "a\u001b]0;x\nb", "a\nb"],
    ["bidi controls and tags are shown", "a\u202eb\u{e0041}", "a<U+202E>b<U+E0041>"],
    ["joiners and selectors of emoji stay", "👨‍👩‍👧 ⚠️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧 ⚠️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["character sets and keypad modes go", "\u001b(0lqk\u001b(B\u001b=x", "lqkx"],
  ])("%s", (_, text, expected) => expect(sanitizeText(text)).toBe(expected));

  it("is without any colour where there is none", () => {
    expect(sanitizeText("\u001b[1;31mred\u001b[0m\n\u001b[32mx", { color: false })).toBe("red\nx");
  });

  it("gives the same in any chunks", () => {
    const source = fc.array(
      fc.oneof(
        fc.constantFrom("\u001b", "[", "31m", "\r", "\n", "\b", "\t", "]0;", "\u0007", "你", "a", "\u009d", "\u001b\\"),
        fc.string({ unit: "binary", maxLength: 3 }),
      ),
    );
    fc.assert(
      fc.property(source, (chunks) => {
        const sanitizer = new OutputSanitizer();
        const lines = chunks.flatMap((chunk) => sanitizer.push(chunk));
        // A pair of surrogates that chunks tear apart is not what a decoder gives.
        fc.pre(chunks.every((chunk) => !/[\ud800-\udfff]/.test(chunk) && !/\p{M}|\u200d/u.test(chunk)));
        expect([...lines, sanitizer.line].join("\n")).toBe(new OutputSanitizerWhole(chunks.join("")).text);
      }),
    );
  });
});

/** The whole text in one chunk. */
class OutputSanitizerWhole {
  readonly text: string;
  constructor(source: string) {
    const sanitizer = new OutputSanitizer();
    this.text = [...sanitizer.push(source), sanitizer.line].join("\n");
  }
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\u001b",
          "\u009b",
          "\u009d",
          "[",
          "]",
          "8;;",
          "31",
          "m",
          ";",
          "\u0007",
          "\u001b\\",
          "\r",
          "\n",
          "\t",
          "P",
          "_",
          "x",
        ),
        fc.string({ unit: "binary", maxLength: 2 }),
      ),
    )
    .map((parts) => parts.join("")),
);

describe("whatever comes in", () => {
  const ownColor = /\u001b\[[0-9;]+m/g;

  it("only printable characters, line ends and our own colours leave the sanitizer", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitizeText(text).replace(ownColor, "")).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
        expect(sanitizeText(text)).not.toMatch(
          /\u001b\[(?:[0-9;]*;)?[568](?:;[0-9;]*)?m(?<!\u001b\[(?:[0-9;]*;)?[34]8;[25][0-9;]*m)/,
        );
        expect(sanitizeText(text, { color: false })).not.toContain("\u001b");
      }),
      { numRuns: 1000 },
    );
  });

  it("plain text has no controls, visible text nothing invisible", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(modelText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(visibleText(text)).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}]/u,
        );
        expect(visibleLine(text)).not.toContain("\n");
      }),
      { numRuns: 1000 },
    );
  });

  it("plain text in chunks is the same plain text", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (chunks) => {
        const stream = new PlainStream();
        expect(chunks.map((chunk) => stream.push(chunk)).join("") + stream.end()).toBe(plainText(chunks.join("")));
      }),
    );
  });
});

describe("visible text", () => {
  it.each<[string, string, string]>([
    ["a carriage return", "rm -rf src\rls", "rm -rf src<U+000D>ls"],
    ["escape sequences", "a\u001b[8mb", "a<U+001B>[8mb"],
    ["zero width, fillers, blanks that are none", "a\u200bb\u3164c\u00a0d", "a<U+200B>b<U+3164>c<U+00A0>d"],
    ["tabs are blanks, line ends stay", "a\tb\nc", "a    b\nc"],
    ["CJK with its own blank is ordinary", "你　好", "你　好"],
  ])("%s", (_, text, expected) => expect(visibleText(text)).toBe(expected));

  it("collapses what pushes text out of sight", () => {
    expect(collapseBlanks(`ls${" ".repeat(300)}; rm`)).toBe("ls <300 blanks> ; rm");
    expect(collapseBlanks(`a${" ".repeat(10)}b`)).toBe(`a${" ".repeat(10)}b`);
  });
});
