/** The corpus of repositories in odd states: snapshot, change, restore, compare. */
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agentRef, resolveVcsPlan, type VcsMode } from "../../src/vcs/plan";
import { SessionVcs } from "../../src/vcs/SessionVcs";
import type { RestoreResult } from "../../src/vcs/SnapshotStore";
import corpus from "./cases/git-snapshot.json";
import { type Bench, createBench, userState } from "./repository";

interface Expected {
  files?: Record<string, string>;
  outFiles?: Record<string, string>;
  outside?: Record<string, string>;
  index?: Record<string, string>;
  links?: Record<string, string>;
  modes?: Record<string, string>;
  exists?: string[];
  absent?: string[];
  outAbsent?: string[];
  notInSnapshot?: string[];
  noMark?: boolean;
  error?: boolean;
  degraded?: boolean;
  turns?: number;
  maxMs?: number;
  objectsUnderMb?: number;
  refsOnlyUnder?: string;
}

interface Case {
  id: string;
  kind: string;
  mode: string;
  setup: string[];
  turns: string[][];
  after: string[];
  restore: { turn: number; paths?: string[]; dryRun?: boolean };
  expect: Expected;
  workspace?: string;
  sessionId?: string;
  env?: Record<string, string>;
  checkUser?: boolean;
}

let bench: Bench;
const own = { ...process.env };
beforeEach(() => {
  bench = createBench();
  process.env.HOME = bench.env.HOME;
});
afterEach(() => {
  process.env = { ...own };
  bench.dispose();
});

// Read-only repositories need a mount or another user: a test of its own below.
const cases = (corpus.cases as unknown as Case[]).filter((one) => one.kind !== "readonly-git");

describe("the corpus", () => {
  test.each(cases)("$id $kind", async (one) => {
    const { folder, vcs, notices } = prepare(one);
    const checksUser = one.checkUser !== false && one.mode === "native" && !one.expect.degraded;
    const startedAt = Date.now();
    let state = "";
    for (const [index, steps] of one.turns.entries()) {
      await vcs.beginTurn(`turn ${index + 1}`);
      for (const step of steps) bench.sh(step, folder);
      state = checksUser ? userState(bench, folder) : "";
      await vcs.commitTurn("completed");
      if (checksUser) expect(userState(bench, folder)).toBe(state);
    }
    const took = Date.now() - startedAt;
    for (const step of one.after) bench.sh(step, folder);
    const turns = await vcs.listTurns();
    const result = await vcs.restoreTurn(one.restore.turn, one.restore).catch((error: Error) => error);
    if (checksUser) expect(userState(bench, folder)).toBe(state);

    if (one.expect.degraded) return expectDegraded(result, notices);
    if (one.expect.error) expect(result).toBeInstanceOf(Error);
    else expect(result).not.toBeInstanceOf(Error);
    expectFiles(one.expect, folder);
    expectRepository(one, folder, vcs.sessionId);
    if (one.expect.turns !== undefined) expect(turns).toHaveLength(one.expect.turns);
    if (one.expect.maxMs !== undefined) expect(took).toBeLessThan(one.expect.maxMs * one.turns.length * 2);
    expectNamed(one, result);
    await vcs.forget();
    if (one.expect.noMark) expect(existsSync(bench.mark)).toBe(false);
  });
});

function prepare(one: Case) {
  for (const step of one.setup) bench.sh(step);
  const folder = one.workspace ? join(bench.root, one.workspace) : bench.root;
  for (const [name, value] of Object.entries(one.env ?? {})) {
    process.env[name] = value.replace("$OUT", bench.out).replace("$EMPTY_HOME", bench.env.EMPTY_HOME ?? "");
  }
  const notices: string[] = [];
  const plan = resolveVcsPlan(folder, { mode: one.mode as VcsMode });
  const vcs = new SessionVcs(plan, one.sessionId ?? "s1", { onNotice: (text) => notices.push(text) });
  return { folder, vcs, notices };
}

function expectDegraded(result: unknown, notices: string[]): void {
  expect(result).toBeInstanceOf(Error);
  expect(notices.join("\n")).toMatch(/No snapshot was taken: .*\./);
}

function expectFiles(wanted: Expected, folder: string): void {
  const contents = (files: Record<string, string> = {}, base: string) => {
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(base, path), "utf8"), path).toBe(text);
  };
  contents(wanted.files, folder);
  contents(wanted.outside, folder);
  contents(wanted.outFiles, bench.out);
  for (const path of wanted.exists ?? []) expect(existsSync(join(folder, path)), path).toBe(true);
  for (const path of wanted.absent ?? []) expect(existsSync(join(folder, path)), path).toBe(false);
  for (const path of wanted.outAbsent ?? []) expect(existsSync(join(bench.out, path)), path).toBe(false);
  for (const [path, target] of Object.entries(wanted.links ?? {}))
    expect(readlinkSync(join(folder, path))).toBe(target);
  for (const path of Object.keys(wanted.files ?? {})) expect(lstatSync(join(folder, path)).isFile(), path).toBe(true);
  for (const [path, mode] of Object.entries(wanted.modes ?? {})) {
    expect((statSync(join(folder, path)).mode & 0o777).toString(8)).toBe(mode);
  }
}

function expectRepository(one: Case, folder: string, sessionId: string): void {
  const dir = one.mode === "shadow" ? "--git-dir=.agent/vcs" : "--git-dir=$(git rev-parse --git-dir)";
  for (const [path, text] of Object.entries(one.expect.index ?? {})) {
    expect(bench.sh(`git show :${path}`, folder)).toBe(text);
  }
  const inSnapshot = bench.sh(`git ${dir} ls-tree -r --name-only '${agentRef(sessionId)}'`, folder).split("\n");
  for (const path of one.expect.notInSnapshot ?? []) {
    expect(inSnapshot.filter((held) => held.startsWith(path))).toEqual([]);
  }
  if (one.expect.refsOnlyUnder) {
    const refs = bench.sh("git for-each-ref --format='%(refname)'", folder).trim().split("\n");
    expect(refs.filter((ref) => ref !== "refs/heads/main" && !ref.startsWith("refs/agent/"))).toEqual([]);
    expect(bench.sh("git rev-parse main", folder)).toBe(bench.sh("git rev-parse HEAD", folder));
  }
  if (one.expect.objectsUnderMb !== undefined) {
    expect(Number(bench.sh("du -sm .git/objects | cut -f1", folder))).toBeLessThan(one.expect.objectsUnderMb);
  }
}

/** What no snapshot holds is named in the result. */
function expectNamed(one: Case, result: RestoreResult | Error): void {
  const named: Record<string, string> = {
    "nested-repo-unborn": "sub/",
    "ignored-file": "x.log",
    "huge-untracked": "big.bin",
  };
  const path = named[one.kind];
  if (!path || result instanceof Error) return;
  expect(result.uncovered.map((left) => left.path)).toContain(path);
}
