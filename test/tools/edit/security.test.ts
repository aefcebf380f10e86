/** File and path cases of the threat list that the write tools answer for themselves. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import files from "./cases/files.json";
import paths from "./cases/paths.json";
import { createBench, type EditBench, listing } from "./support";

let bench: EditBench;
afterEach(() => bench?.remove());

type Op = Record<string, unknown> & { tool: string };

/** Short names of the case files, as the tools' arguments. */
function argsOf(op: Op, expand: (text: string) => string = (text) => text): Record<string, unknown> {
  const { tool, old, new: fresh, all, patch, setup, between, race, workspace, ...rest } = op;
  const args: Record<string, unknown> = { ...rest };
  if (old !== undefined) args["old_string"] = old;
  if (fresh !== undefined) args["new_string"] = fresh;
  if (all !== undefined) args["replace_all"] = all;
  if (patch !== undefined) args[tool === "apply_patch" ? "patch" : "diff"] = patch;
  if (tool === "write_file" || tool === "replace_in_file") args["path"] ??= "f";
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === "string" ? expand(value) : value]),
  );
}

interface Outcome {
  afterHex?: string;
  unchanged?: boolean;
  error?: boolean;
  mode?: string;
}

function shell(commands: readonly string[], folder: string, env: Record<string, string> = {}): void {
  for (const command of commands)
    execFileSync("bash", ["-c", command], { cwd: folder, env: { ...process.env, ...env } });
}

/** What other programs do between the read and the edit. */
const BETWEEN: Record<string, () => void> = {
  "changed-since-read": () => bench.write("f", "z"),
  "deleted-since-read": () => unlinkSync(bench.path("f")),
};

describe.each(files.map((one) => [one.id, one.kind, one] as const))("%s %s", (_id, kind, one) => {
  it(one.why, async () => {
    bench = createBench();
    const op = one.op as Op;
    if (typeof one.beforeHex === "string")
      bench.write("f", Buffer.from(one.beforeHex, "hex"), Number.parseInt(one.mode ?? "644", 8));
    shell((op["setup"] as string[] | undefined) ?? [], bench.workspace);
    if (existsSync(bench.path("f")) && statSync(bench.path("f")).isFile()) await bench.read("f");
    BETWEEN[kind]?.();
    const before = listing(bench.workspace);
    const result = await bench.call(op.tool, argsOf(op));
    const outcomes: Outcome[] = "oneOf" in one.expect ? (one.expect.oneOf as Outcome[]) : [one.expect as Outcome];
    const isFulfilled = outcomes.some((outcome) => {
      if (outcome.error && result.status !== "error") return false;
      if (outcome.unchanged || outcome.error)
        return JSON.stringify(listing(bench.workspace)) === JSON.stringify(before);
      if (outcome.mode && (statSync(bench.path("f")).mode & 0o777).toString(8) !== outcome.mode) return false;
      return outcome.afterHex !== undefined && bench.bytes("f").toString("hex") === outcome.afterHex;
    });
    expect(isFulfilled, result.content).toBe(true);
  });
});

/** A race of another program against the tool, right before it runs. */
const RACES: Record<string, string> = { "toctou-swap": 'cd "$WS" && mv d d2 && mv evil d' };

describe.each(paths.map((one) => [one.id, one.kind, one] as const))("%s %s", (_id, kind, one) => {
  it(one.why, async () => {
    bench = createBench();
    const out = join(bench.outer, "out");
    mkdirSync(out);
    const env = { WS: bench.workspace, OUT: out };
    const expand = (text: string) => text.replaceAll("$WS", env.WS).replaceAll("$OUT", env.OUT);
    const op = one.op as Op;
    shell(one.setup ?? [], bench.workspace, env);
    const args = argsOf(op, expand);
    for (const name of ["l", "h", ".git/config"])
      if (existsSync(bench.path(name)) && statSync(bench.path(name)).isFile()) await bench.read(name);
    if (RACES[kind]) shell([RACES[kind]], bench.workspace, env);
    const [before, outside] = [listing(bench.workspace), listing(out, false)];
    const result = await bench.call(op.tool, args);
    if (one.expect === "ask-then-write") expect(result.status, result.content).toBe("ok");
    // Asking for protected files is the permission engine's part; the tool tells it the paths.
    if (one.expect === "deny-or-ask-even-in-auto") expect(bench.writes(op.tool, args)).toEqual([args["path"]]);
    if (/^(?:deny|deny-all|error|deny-or-fail)$/.test(one.expect)) {
      expect(result.status, result.content).toBe("error");
      expect(listing(bench.workspace)).toEqual(before);
    }
    expect(listing(out, false)).toEqual(outside);
    expect(existsSync(`${bench.workspace}-evil/x`)).toBe(false);
    expect(existsSync(join(homedir(), "x"))).toBe(false);
  });
});

describe("a hard link", () => {
  it("is broken by a write: the other name keeps the old content", async () => {
    bench = createBench();
    writeFileSync(join(bench.outer, "kept"), "keep");
    shell([`ln "${bench.outer}/kept" h`], bench.workspace);
    const result = await bench.call("replace_in_file", { path: "h", old_string: "keep", new_string: "new" });
    expect(result.status).toBe("ok");
    expect(bench.text("h")).toBe("new");
    expect(readFileSync(join(bench.outer, "kept"), "utf8")).toBe("keep");
  });
});
