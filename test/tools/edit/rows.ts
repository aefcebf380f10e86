/** Rows of edit cases: files before, one call, and either the files after it or the words of a refusal. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createBench, type EditBench, listing } from "./support";

type Files = Record<string, string | Uint8Array>;

/** `null`: the file is gone. A list of patterns: nothing changed, and the refusal holds each of them. */
export type Outcome = Record<string, string | Uint8Array | null> | RegExp[];

export interface Row {
  kind: string;
  tool: string;
  files: Files;
  /** The arguments, or the very text that the model sends. */
  args: Record<string, unknown> | string;
  outcome: Outcome;
  /** What a success must say, and must not. */
  says?: RegExp;
  /** Done before the files are read. */
  setup?(bench: EditBench): void;
  /** Done after they were read. */
  meanwhile?(bench: EditBench): void;
}

/** The rest of a row: what a success says, and what is done before. */
type More = Pick<Row, "says" | "setup" | "meanwhile">;

const asOutcome = (name: string, outcome: string | Outcome): Outcome =>
  typeof outcome === "string" ? { [name]: outcome } : outcome;

/** One pair on a file `f`. */
export function replaceRow(
  kind: string,
  [before, old, fresh]: [before: string | Uint8Array, old: string, fresh: string],
  outcome: string | Outcome,
  more: More & { all?: boolean } = {},
): Row {
  const args = { path: "f", old_string: old, new_string: fresh, ...(more.all ? { replace_all: true } : {}) };
  return { kind, tool: "replace_in_file", files: { f: before }, args, outcome: asOutcome("f", outcome), ...more };
}

/** Several pairs on a file `f`. */
export function editsRow(
  kind: string,
  before: string,
  edits: unknown,
  outcome: string | Outcome,
  more: More = {},
): Row {
  return {
    kind,
    tool: "replace_in_file",
    files: { f: before },
    args: { path: "f", edits },
    outcome: asOutcome("f", outcome),
    ...more,
  };
}

/** A patch text whose markers are put around unless they are there. */
export function patchRow(
  kind: string,
  files: string | Files,
  patch: string,
  outcome: string | Outcome,
  more: More = {},
): Row {
  const body = /\*\*\* Begin|^```/i.test(patch) ? patch : `*** Begin Patch\n${patch}\n*** End Patch`;
  return {
    kind,
    tool: "apply_patch",
    files: filesOf(files),
    args: { patch: body },
    outcome: asOutcome("f", outcome),
    ...more,
  };
}

/** Hunks of a diff for a file `f`, or a diff with its own headers. */
export function diffRow(
  kind: string,
  files: string | Files,
  diff: string,
  outcome: string | Outcome,
  more: More = {},
): Row {
  const whole = diff.startsWith("@@") ? `--- a/f\n+++ b/f\n${diff}` : diff;
  return {
    kind,
    tool: "apply_unified_diff",
    files: filesOf(files),
    args: { diff: whole },
    outcome: asOutcome("f", outcome),
    ...more,
  };
}

function filesOf(files: string | Files): Files {
  return typeof files === "string" ? { f: files } : files;
}

/** Each row on a fresh workspace, every file read before, arguments on the way that a model's take. */
export function describeRows(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    it.each(rows.map((row) => [row.kind, row] as const))("%s", async (_kind, row) => {
      const bench = createBench();
      onTestFinished(() => bench.remove());
      for (const [name, content] of Object.entries(row.files)) bench.write(name, content);
      row.setup?.(bench);
      for (const name of Object.keys(row.files)) await bench.read(name);
      row.meanwhile?.(bench);
      const before = listing(bench.outer);
      const result = await bench.send(row.tool, typeof row.args === "string" ? row.args : JSON.stringify(row.args));
      if (Array.isArray(row.outcome)) return expectRefusal(bench, { row, before, result });
      expect(result.status, result.content).toBe("ok");
      expect(shownFiles(bench), result.content).toEqual(expectedFiles(row, row.outcome));
      if (row.says) expect(result.content).toMatch(row.says);
    });
  });
}

function expectRefusal(
  bench: EditBench,
  { row, before, result }: { row: Row; before: unknown; result: { status?: string; content: string } },
): void {
  expect(result.status, result.content).toBe("error");
  expect(listing(bench.outer), result.content).toEqual(before);
  for (const part of row.outcome as RegExp[]) expect(result.content).toMatch(part);
}

/** Bytes as Latin-1, so that a difference can be read. */
const visible = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString("latin1");

function shownFiles(bench: EditBench): Record<string, string> {
  return Object.fromEntries(bench.names().map((name) => [name, visible(bench.bytes(name))]));
}

function expectedFiles({ files }: Row, outcome: Exclude<Outcome, RegExp[]>): Record<string, string> {
  const all = Object.entries({ ...files, ...outcome });
  return Object.fromEntries(all.flatMap(([name, content]) => (content === null ? [] : [[name, visible(content)]])));
}
