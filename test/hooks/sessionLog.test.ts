/** Reading a log through every damage that disks and crashes leave (cases fa-001 to fa-005). */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LogRecord, readLog } from "../../src/hooks/sessionLog";

const folder = mkdtempSync(join(tmpdir(), "zqagent-log-"));
let count = 0;

function record(n: number, type = "message_appended"): LogRecord {
  return { t: "2026-12-01T10:00:00.000Z", type, data: { n, text: `message ${n} {"t":"not a record"} }{` } };
}

const lines = [1, 2, 3, 4, 5, 6].map((n) => JSON.stringify(record(n)));

function read(text: string | Buffer, types?: Set<string>): { numbers: unknown[]; warnings: string[] } {
  const path = join(folder, `${count++}.jsonl`);
  writeFileSync(path, text);
  const warnings: string[] = [];
  const found = [...readLog(path, { types, warn: (message) => warnings.push(message) })];
  return { numbers: found.map(({ data }) => data.n), warnings };
}

const line = (n: number): string => lines[n - 1]!;
const cut = (n: number, part = 0.6): string => line(n).slice(0, Math.floor(line(n).length * part));

interface Row {
  name: string;
  text: string;
  numbers: number[];
  warned: boolean;
}

const rows: Row[] = [
  { name: "a whole log", text: `${lines.join("\n")}\n`, numbers: [1, 2, 3, 4, 5, 6], warned: false },
  { name: "a whole log without a last line end", text: lines.join("\n"), numbers: [1, 2, 3, 4, 5, 6], warned: false },
  { name: "an empty log", text: "", numbers: [], warned: false },
  { name: "empty lines", text: `\n${line(1)}\n\n${line(2)}\n`, numbers: [1, 2], warned: false },
  { name: "a torn tail", text: `${line(1)}\n${cut(2)}`, numbers: [1], warned: true },
  {
    name: "a torn line in the middle",
    text: [line(1), line(2), cut(3), line(4), line(5), line(6)].join("\n"),
    numbers: [1, 2, 4, 5, 6],
    warned: true,
  },
  {
    name: "NUL bytes between two lines",
    text: `${line(3)}\n${"\0".repeat(400)}${line(4)}\n${line(5)}\n`,
    numbers: [3, 4, 5],
    warned: true,
  },
  {
    name: "a line of NUL bytes alone",
    text: `${line(3)}\n${"\0".repeat(400)}\n${line(5)}\n`,
    numbers: [3, 5],
    warned: true,
  },
  {
    name: "two records on one line",
    text: `${line(1)}\n${line(2)}${line(3)}\n${line(4)}\n`,
    numbers: [1, 2, 3, 4],
    warned: true,
  },
  {
    name: "a torn record with a whole one behind it",
    text: `${cut(1)}${line(2)}\n${line(3)}`,
    numbers: [2, 3],
    warned: true,
  },
  {
    name: "a whole record with a torn one behind it",
    text: `${line(1)}${cut(2)}\n${line(3)}`,
    numbers: [1, 3],
    warned: true,
  },
  { name: "something that is no record", text: `[1,2]\n"x"\n{"a":1}\nnull\n${line(1)}`, numbers: [1], warned: true },
];

test.each(rows)("$name", ({ text, numbers, warned }) => {
  const found = read(text);
  expect(found.numbers).toEqual(numbers);
  expect(found.warnings.length > 0).toBe(warned);
});

test("a line separator inside a message splits nothing", () => {
  const text = JSON.stringify({ ...record(1), data: { n: "a\u2028b\u2029c\u0085d\re" } });
  expect(read(`${text}\n`)).toEqual({ numbers: ["a\u2028b\u2029c\u0085d\re"], warnings: [] });
});

test("types that nobody asked for are passed over, but damage among them is seen", () => {
  const other = JSON.stringify(record(9, "llm_request"));
  const text = [other, line(1), `${other}${line(2)}`, other.slice(0, 40), line(3)].join("\n");
  const { numbers, warnings } = read(text, new Set(["message_appended"]));
  expect(numbers).toEqual([1, 2, 3]);
  expect(warnings).toHaveLength(2);
});

test("lines longer than any buffer, with characters over its edges", () => {
  const long = JSON.stringify({ ...record(1), data: { n: "汉字😀".repeat(500_000) } });
  expect(read(`${long}\n${line(2)}\n`).numbers).toEqual(["汉字😀".repeat(500_000), 2]);
});

test("one damage costs at most the records that it touches", () => {
  const whole = Buffer.from(`${lines.join("\n")}\n`);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 60 }), (at, length) => {
      const end = Math.min(at + length, whole.length);
      const damaged = Buffer.concat([whole.subarray(0, at), whole.subarray(end)]);
      const { numbers } = read(damaged);
      const untouched = lines.flatMap((text, index) => {
        const start = whole.indexOf(text);
        return start + text.length <= at || start >= end ? [index + 1] : [];
      });
      for (const n of untouched) expect(numbers).toContain(n);
    }),
    // The line end and the first brace of the record behind it: what is left of that does not look like a record.
    { numRuns: 400, examples: [[483, 2]] },
  );
});
