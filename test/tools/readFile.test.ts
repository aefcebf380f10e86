import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConflictGuard } from "../../src/tools/ConflictGuard";
import { temporaryFolder, toolBench } from "./toolBench";

const count = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join("");

describe("pages", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ["a whole file", "a\nb\n", {}, "1|a\n2|b"],
    ["a tab stays a tab", "\ta\tb\n", {}, "1|\ta\tb"],
    ["a bar in the text", "a|b\n", {}, "1|a|b"],
    ["no final newline", "a\nb", {}, "1|a\n2|b\n[no newline at end of file]"],
    ["an empty file", "", {}, "[empty file]"],
    ["a lone line end", "\n", {}, "1|"],
    ["CRLF", "a\r\nb\r\n", {}, "1|a\n2|b"],
    ["a part", count(940), { limit: 2 }, "1|line 1\n2|line 2\n[lines 1-2 of 940. Continue with offset=3.]"],
    [
      "a later part",
      count(940),
      { offset: 201, limit: 1 },
      "201|line 201\n[lines 201-201 of 940. Continue with offset=202.]",
    ],
    ["the last part", count(5), { offset: 4 }, "4|line 4\n5|line 5"],
    ["from the end", count(5), { offset: -2 }, "4|line 4\n5|line 5"],
    [
      "from the end, with a limit",
      count(5),
      { offset: -3, limit: 1 },
      "3|line 3\n[lines 3-3 of 5. Continue with offset=4.]",
    ],
    ["more from the end than there is", "a\nb\n", { offset: -50 }, "1|a\n2|b"],
    ["offset 0", "a\n", { offset: 0 }, "1|a"],
    ["the part before an open end", "a\nb", { limit: 1 }, "1|a\n[lines 1-1 of 2. Continue with offset=2.]"],
  ])("%s", async (_name, content, args, expected) => {
    expect(await toolBench({ f: content }).text("read_file", { path: "f", ...args })).toBe(expected);
  });

  test("an offset past the end", async () => {
    const bench = toolBench({ f: count(812) });
    expect(await bench.error("read_file", { path: "f", offset: 900 })).toBe("offset 900 is past the end (812 lines)");
  });

  test("2,000 lines at most", async () => {
    const page = await toolBench({ f: count(2300) }).text("read_file", { path: "f" });
    expect(page.split("\n").at(-1)).toBe("[lines 1-2000 of 2,300. Continue with offset=2001.]");
  });

  test("50 KB at most, and paging on gives every line once", async () => {
    const content = Array.from({ length: 2300 }, (_, at) => `${at}${"日".repeat(40)}`).join("\n");
    const bench = toolBench({ f: `${content}\n` });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const page = await bench.text("read_file", { path: "f", offset });
      expect(Buffer.byteLength(page)).toBeLessThan(52_000);
      const lines = page.split("\n");
      const note = /^\[lines \d+-\d+ of 2,300, 50 KB limit\. Continue with offset=(\d+)\.\]$/.exec(lines.at(-1) ?? "");
      seen.push(...(note ? lines.slice(0, -1) : lines));
      offset = note ? Number(note[1]) : undefined;
    }
    expect(seen.map((line) => line.replace(/^\d+\|/, "")).join("\n")).toBe(content);
  });
});

describe("long lines", () => {
  test("are cut, with what is left out", async () => {
    const page = await toolBench({ f: `${"a".repeat(10_211)}\nb\n` }).text("read_file", { path: "f" });
    expect(page).toBe(`1|${"a".repeat(2000)}…[+8,211 characters]\n2|b`);
  });

  test("never in the middle of a character", async () => {
    const page = await toolBench({ f: `x${"😀".repeat(3000)}` }).text("read_file", { path: "f" });
    expect(/[\uD800-\uDFFF]/u.test(page)).toBe(false);
    expect(page).toContain("…[+4,002 characters]");
  });

  test("a first line over 50 KB comes with a hint", async () => {
    const page = await toolBench({ f: "a".repeat(5_000_000) }).text("read_file", { path: "f" });
    expect(page).toBe(
      `1|${"a".repeat(2000)}…[+4,998,000 characters]\n` +
        "[line 1 has 5,000,000 characters: run_shell with `cut -c` shows more of it]\n[no newline at end of file]",
    );
  });
});

describe("large files", () => {
  test("a page from far down, and from the end", async () => {
    const bench = toolBench({ f: count(1_200_000) });
    expect(await bench.text("read_file", { path: "f", offset: 1_100_000, limit: 1 })).toBe(
      "1100000|line 1100000\n[lines 1100000-1100000 of 1,200,000. Continue with offset=1100001.]",
    );
    expect(await bench.text("read_file", { path: "f", offset: -1 })).toBe("1200000|line 1200000");
  });

  test("characters across pieces stay whole", async () => {
    const bench = toolBench({ f: `x${"日本語😀\n".repeat(900_000)}` });
    const page = await bench.text("read_file", { path: "f", offset: 2, limit: 1000 });
    expect(page).not.toContain("\uFFFD");
    expect(page.split("\n")[999]).toBe("1001|日本語😀");
  });

  test("a page begins and ends where it would in a small file, whatever stands around it", async () => {
    const odd = ["\uFEFFmark", "x\ry", "", "日本語\r", "z".repeat(3000), "last"];
    const whole = [...count(1_000_000).trimEnd().split("\n"), ...odd].join("\n");
    const bench = toolBench({ big: `\uFEFF${whole}`, small: `\uFEFF${odd.join("\n")}` });
    for (const offset of [-6, -3, -1]) {
      const page = await bench.text("read_file", { path: "big", offset });
      const small = await bench.text("read_file", { path: "small", offset });
      expect(page).toBe(small.replace(/^(\d+)\|/gm, (_all, line: string) => `${1_000_000 + Number(line)}|`));
    }
    expect(await bench.text("read_file", { path: "big", limit: 1 })).toContain("1|line 1\n[lines 1-1 of 1,000,006.");
    expect(await bench.error("read_file", { path: "big", offset: 1_000_007 })).toContain(
      "past the end (1,000,006 lines)",
    );
  });

  test("in UTF-16", async () => {
    const bench = toolBench({ f: Buffer.from(`\uFEFF${"日本語\r\n".repeat(1_200_000)}`, "utf16le") });
    const page = await bench.text("read_file", { path: "f", offset: -1 });
    expect(page).toBe("1200000|日本語\n[encoding: utf-16le]");
  });

  test("a hole of 3 GB is named, not read", async () => {
    const bench = toolBench({ big: "" });
    truncateSync(join(bench.folder, "big"), 3 * 1024 ** 3);
    expect(await bench.error("read_file", { path: "big" })).toBe("big is binary (application/octet-stream, 3.0 GB)");
  });

  test("an interrupt ends it", async () => {
    const bench = toolBench({ f: count(1_200_000) });
    const stop = new AbortController();
    stop.abort();
    expect((await bench.call("read_file", { path: "f", offset: -1 }, { signal: stop.signal })).status).toBe(
      "interrupted",
    );
  });
});

describe("encodings", () => {
  test.each<[string, Buffer, string]>([
    ["a byte order mark", Buffer.from("\uFEFFa\n"), "1|a"],
    ["UTF-16, little end first", Buffer.from("\uFEFFäß\n", "utf16le"), "1|äß\n[encoding: utf-16le]"],
    ["UTF-16, big end first", Buffer.from("\uFEFFäß\n", "utf16le").swap16(), "1|äß\n[encoding: utf-16be]"],
    [
      "UTF-8 with a broken byte",
      Buffer.concat([Buffer.from("日本語のテキストの行です\n"), Buffer.from([0x61, 0xff, 0x0a])]),
      "1|日本語のテキストの行です\n2|a\uFFFD\n[UTF-8 with broken bytes, shown as \uFFFD: edits are refused]",
    ],
    ["no known one", Buffer.from([0x61, 0xff, 0x0a]), "1|aÿ\n[encoding unknown, shown as Latin-1: edits are refused]"],
  ])("%s", async (_name, bytes, expected) => {
    expect(await toolBench({ f: bytes }).text("read_file", { path: "f" })).toBe(expected);
  });

  test("GB18030 is told", async () => {
    const bytes = Buffer.from("d6d0b9fabfc6d1a7bcbccaf5b4f3d1a7a1a3cbfbc3c7d4dab1b1beaea1a30a", "hex");
    const page = await toolBench({ f: bytes }, { encoding: "gb18030" }).text("read_file", { path: "f" });
    expect(page).toContain("1|中国科学技术大学");
    expect(page).toContain("[encoding: gb18030]");
  });
});

const PNG = pngHeader(1280, 720);

function pngHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(100);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function jpegHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(60);
  Buffer.from("ffd8ffe000104a46494600010100000100010000ffc00011080000000003", "hex").copy(bytes);
  bytes.writeUInt16BE(height, 25);
  bytes.writeUInt16BE(width, 27);
  return bytes;
}

const GIF = Buffer.from("474946383961e803580200000000", "hex");
const WEBP = Buffer.from("52494646240000005745425056503820180000003001009d012a800040000000", "hex");

describe("pictures, by their bytes and not by their names", () => {
  test.each([
    ["shot.png", PNG, "image 1280x720 png, 100 B", "image/png"],
    ["really-a-picture.txt", PNG, "image 1280x720 png, 100 B", "image/png"],
    ["p.jpg", jpegHeader(640, 480), "image 640x480 jpeg, 60 B", "image/jpeg"],
    ["p.gif", GIF, "image 1000x600 gif, 14 B", "image/gif"],
    ["p.webp", WEBP, "image 128x64 webp, 32 B", "image/webp"],
  ])("%s", async (name, bytes, words, mimeType) => {
    const seeing = await toolBench({ [name]: bytes }, { vision: () => true }).call("read_file", { path: name });
    expect(seeing).toEqual({
      content: `[${words}]`,
      attachments: [{ name, mimeType, dataUrl: `data:${mimeType};base64,${bytes.toString("base64")}` }],
      status: "ok",
    });
    const blind = await toolBench({ [name]: bytes }).call("read_file", { path: name });
    expect(blind).toEqual({ content: `[${words}; this model cannot see images. Use media.]`, status: "ok" });
  });

  test("too large a picture is refused with its size", async () => {
    const bench = toolBench({ "p.png": pngHeader(4000, 3000) }, { vision: () => true });
    expect(await bench.error("read_file", { path: "p.png" })).toContain("too large to be shown (image 4000x3000 png");
  });

  test("text by the name of a picture is text, and so is SVG", async () => {
    const bench = toolBench({ "a.png": "not a picture\n", "b.svg": "<svg/>\n", "c.txt": "GIF89a is a format\n" });
    expect(await bench.text("read_file", { path: "a.png" })).toBe("1|not a picture");
    expect(await bench.text("read_file", { path: "b.svg" })).toBe("1|<svg/>");
    expect(await bench.text("read_file", { path: "c.txt" })).toBe("1|GIF89a is a format");
  });
});

describe("what is no text", () => {
  test.each([
    ["a.zip", Buffer.from("504b0304140000000800", "hex"), "a.zip is binary (application/zip, 10 B)"],
    ["a.gz", Buffer.from("1f8b0800000000000003", "hex"), "a.gz is binary (application/gzip, 10 B)"],
    ["tool", Buffer.from("7f454c4602010100", "hex"), "tool is binary (application/x-executable, 8 B)"],
    ["x.txt", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "x.txt is binary (image/png, 16 B)"],
    ["data", Buffer.from("text with a \0 in it"), "data is binary (application/octet-stream, 19 B)"],
  ])("%s", async (name, bytes, expected) => {
    expect(await toolBench({ [name]: bytes }).error("read_file", { path: name })).toBe(expected);
  });

  test("a notebook is its cells", async () => {
    const notebook = {
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "print(1)\n",
          outputs: [
            { output_type: "stream", text: ["1\n"] },
            { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": "<Figure>" } },
            { output_type: "stream", text: "y".repeat(3000) },
            { output_type: "error", ename: "ValueError", evalue: "bad" },
          ],
        },
      ],
    };
    const page = await toolBench({ "n.ipynb": JSON.stringify(notebook) }).text("read_file", { path: "n.ipynb" });
    const text = page.replace(/^\d+\|/gm, "");
    expect(text).toContain("[cell 1: markdown]\n# Title\ntext\n\n[cell 2: code]\nprint(1)\n");
    expect(text).toContain("[output]\n1\n[output]\n<Figure>\n[image/png left out]\n");
    expect(text).toContain(`${"y".repeat(100)}…[+1,040 characters]\n[output]\nValueError: bad`);
    expect(text).not.toContain("AAAA");
  });

  test("a broken notebook is plain text", async () => {
    const page = await toolBench({ "n.ipynb": '{"cells": [' }).text("read_file", { path: "n.ipynb" });
    expect(page).toContain('1|{"cells": [');
  });
});

describe("what is not a file", () => {
  test("a folder", async () => {
    const bench = toolBench({ "d/f": "" });
    expect(await bench.error("read_file", { path: "d" })).toBe("d is a directory. Use list_files.");
  });

  test("a FIFO, a socket, a link to a device", async () => {
    const bench = toolBench();
    execFileSync("mkfifo", [join(bench.folder, "p")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(bench.folder, "s"), resolve));
    symlinkSync("/dev/zero", join(bench.folder, "z"));
    expect(await bench.error("read_file", { path: "p" })).toContain("p is not a regular file");
    expect(await bench.error("read_file", { path: "s" })).toContain("s is not a regular file");
    expect(await bench.error("read_file", { path: "z" })).toContain("outside the workspace");
    bench.roots.allowReading("/dev");
    expect(await bench.error("read_file", { path: "/dev/zero" })).toContain("not a regular file");
    server.close();
  });

  test("nothing, with files of that name", async () => {
    const bench = toolBench({ "src/lib/utils.ts": "", "a/other.ts": "", "b/other.js": "" });
    expect(await bench.error("read_file", { path: "src/utils.ts" })).toBe(
      "File not found: src/utils.ts. Did you mean src/lib/utils.ts?",
    );
    expect(await bench.error("read_file", { path: "other.py" })).toMatch(/Did you mean .* or .*\?$/);
    expect(await bench.error("read_file", { path: "nowhere.txt" })).toBe("File not found: nowhere.txt.");
    expect(await bench.error("read_file", { path: "src/lib/utils.ts/x" })).toContain("File not found");
  });
});

describe("places", () => {
  test("outside the workspace", async () => {
    const bench = toolBench({ f: "in\n" });
    const outside = temporaryFolder();
    writeFileSync(join(outside, "s"), "secret\n");
    symlinkSync(join(outside, "s"), join(bench.folder, "link"));
    symlinkSync(outside, join(bench.folder, "folder"));
    for (const path of [join(outside, "s"), "link", "folder/s", "../x", "/proc/self/environ"]) {
      expect(await bench.error("read_file", { path })).toBe(
        `Path is outside the workspace: ${path}. Use request_directory to ask for access.`,
      );
    }
    bench.roots.grant(outside, false);
    expect(await bench.text("read_file", { path: join(outside, "s") })).toBe("1|secret");
    expect(await bench.text("read_file", { path: join(bench.folder, "f") })).toBe("1|in");
  });

  test("the environment of a process is never read", async () => {
    const bench = toolBench();
    bench.roots.allowReading("/proc");
    expect(await bench.error("read_file", { path: "/proc/self/environ" })).toContain("holds secrets");
  });

  test("odd names", async () => {
    const bench = toolBench({ "a b/ö (1).txt": "x\n", "-n": "y\n" });
    mkdirSync(join(bench.folder, "h"));
    linkSync(join(bench.folder, "-n"), join(bench.folder, "h/hard"));
    expect(await bench.text("read_file", { path: "a b/ö (1).txt" })).toBe("1|x");
    expect(await bench.text("read_file", { path: "-n" })).toBe("1|y");
    expect(await bench.text("read_file", { path: "h/hard" })).toBe("1|y");
    expect(await bench.error("read_file", { path: "a\0b" })).toContain("NUL");
    expect(await bench.error("read_file", {})).toContain("path is required");
  });
});

test("the guard learns what was read", async () => {
  const guard = new ConflictGuard();
  const bench = toolBench({ f: "a\n", "p.png": PNG }, { guard, vision: () => true });
  const path = join(bench.folder, "f");
  expect(await guard.stateOf(path)).toBe("unknown");
  await bench.text("read_file", { path: "f", limit: 1 });
  expect(await guard.stateOf(path)).toBe("unchanged");
  writeFileSync(path, "b\n");
  expect(await guard.stateOf(path)).toBe("changed");
  await bench.text("read_file", { path: "p.png" });
  expect(await guard.stateOf(join(bench.folder, "p.png"))).toBe("unchanged");
});

test("law: the pages of a file, put together, are its lines", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "\t", "日", "😀", "\r", " ", "|") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (lines, limit) => {
        const bench = toolBench({ f: `${lines.join("\n")}\n` });
        const seen: string[] = [];
        for (let offset = 1; offset <= lines.length; offset += limit) {
          const page = await bench.text("read_file", { path: "f", offset, limit });
          seen.push(...page.split("\n").filter((row) => /^\d+\|/.test(row)));
        }
        expect(seen).toEqual(lines.map((text, at) => `${at + 1}|${text.replace(/\r$/, "")}`));
      },
    ),
    { numRuns: 40 },
  );
});
