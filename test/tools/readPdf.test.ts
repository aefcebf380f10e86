import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ConflictGuard } from "../../src/tools/ConflictGuard";
import { pdfOf } from "./pdf";
import { toolBench } from "./toolBench";

const THREE = pdfOf([["First page", "second (line)"], [], ["Last page"]]);

describe("a PDF", () => {
  test("is read as text, page by page", async () => {
    expect(await toolBench({ "a.pdf": THREE }).text("read_file", { path: "a.pdf" })).toBe(
      [
        ...["1|[page 1]", "2|First page", "3|second (line)", "4|", "5|[page 2]", "6|"],
        ...["7|", "8|[page 3]", "9|Last page", "[PDF, 3 pages]"],
      ].join("\n"),
    );
  });

  test("is told by its bytes, not by its name", async () => {
    const bench = toolBench({ "report.txt": pdfOf([["Hello"]]), "text.pdf": "just text\n" });
    expect(await bench.text("read_file", { path: "report.txt" })).toBe("1|[page 1]\n2|Hello\n[PDF, 1 page]");
    expect(await bench.text("read_file", { path: "text.pdf" })).toBe("1|just text");
  });

  test("is paged by lines like other text", async () => {
    const bench = toolBench({ "a.pdf": THREE });
    expect(await bench.text("read_file", { path: "a.pdf", offset: 2, limit: 1 })).toBe(
      "2|First page\n[lines 2-2 of 9. Continue with offset=3.]\n[PDF, 3 pages]",
    );
    expect(await bench.text("read_file", { path: "a.pdf", offset: -1 })).toBe("9|Last page\n[PDF, 3 pages]");
    expect(await bench.error("read_file", { path: "a.pdf", offset: 10 })).toBe("offset 10 is past the end (9 lines)");
  });

  test("of many pages gives every line once", async () => {
    const bench = toolBench({
      "a.pdf": pdfOf(Array.from({ length: 120 }, (_, at) => [`text ${at}`, "x".repeat(900)])),
    });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const page = await bench.text("read_file", { path: "a.pdf", offset });
      seen.push(...[...page.matchAll(/^\d+\|text (\d+)$/gm)].map((match) => match[1] ?? ""));
      const next = /Continue with offset=(\d+)/.exec(page)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => String(at)));
  });

  test("that changed is read anew, and the guard knows of it", async () => {
    const guard = new ConflictGuard();
    const bench = toolBench({ "a.pdf": pdfOf([["old"]]) }, { guard });
    expect(await bench.text("read_file", { path: "a.pdf" })).toContain("old");
    const path = join(bench.folder, "a.pdf");
    expect(await guard.stateOf(path)).toBe("unchanged");
    writeFileSync(path, pdfOf([["new"]]));
    expect(await guard.stateOf(path)).toBe("changed");
    expect(await bench.text("read_file", { path: "a.pdf" })).toContain("new");
  });
});

describe("a PDF that cannot be read", () => {
  const next = /mcp__ocr__recognize.*media/;

  test.each([
    ["holds nothing", Buffer.from("%PDF-1.7\n")],
    ["is garbage", Buffer.from(`%PDF-1.7\n${"\x00\xff\x01obj<<".repeat(500)}`, "latin1")],
    ["is cut off", THREE.subarray(0, 60)],
  ])("%s: the error says what else can be done", async (_name, bytes) => {
    const error = await toolBench({ "a.pdf": bytes }).error("read_file", { path: "a.pdf" });
    expect(error).toMatch(/^a\.pdf is a PDF that cannot be read \(.+\)\./);
    expect(error).toMatch(next);
  });

  test("has pictures only", async () => {
    const error = await toolBench({ "a.pdf": pdfOf([[], []]) }).error("read_file", { path: "a.pdf" });
    expect(error).toMatch(/^a\.pdf is a PDF of 2 pages without text, perhaps scanned\./);
    expect(error).toMatch(next);
  });

  test("law: no damage crashes the reader or writes to the console", async () => {
    const written = vi.spyOn(console, "log");
    const warned = vi.spyOn(console, "warn");
    await fc.assert(
      fc.asyncProperty(fc.nat(THREE.length - 10), fc.uint8Array({ maxLength: 8 }), async (at, bytes) => {
        const damaged = Buffer.from(THREE);
        damaged.set(bytes, Math.min(at + 9, damaged.length - bytes.length));
        const result = await toolBench({ "a.pdf": damaged }).call("read_file", { path: "a.pdf" });
        expect(result.content).toMatch(/\[page 1\]|is a PDF/);
      }),
      { numRuns: 60 },
    );
    expect([written.mock.calls, warned.mock.calls]).toEqual([[], []]);
  });
});

test("a process that reads broken PDFs prints nothing of its own", () => {
  const script = `
    import { getDocumentProxy } from "unpdf";
    for (const bytes of [[], [37, 80, 68, 70], Buffer.from("%PDF-1.7 trailer << /Root 9 0 R >>")]) {
      await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch(() => undefined);
    }`;
  const cwd = join(__dirname, "../..");
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd });
  expect([stdout.toString(), stderr.toString()]).toEqual(["", ""]);
});
