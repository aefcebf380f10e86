/** The law of rollback: whatever turns do to a tree, going back to one gives every byte, mode and link of it again. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveVcsPlan } from "../../src/vcs/plan";
import { SessionVcs } from "../../src/vcs/SessionVcs";
import { createBench, userState } from "./repository";

/** Short paths, so that files, folders and links get in each other's way. */
const path = fc
  .array(fc.constantFrom("a", "b", "c d", "ü", "x.txt"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));
const bytes = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constantFrom("a\r\nb\n", "a\nb\n", "").map(Buffer.from));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), path, bytes }) },
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("mode" as const), path, executable: fc.boolean() }),
  fc.record({ kind: fc.constant("link" as const), path, to: path }),
  fc.record({ kind: fc.constant("rename" as const), path, to: path }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function carryOut(root: string, one: Step): void {
  const full = join(root, one.path);
  try {
    if (one.kind === "remove") rmSync(full, { recursive: true, force: true });
    else if (one.kind === "mode") {
      if (lstatSync(full).isFile()) chmodSync(full, one.executable ? 0o755 : 0o644);
    } else {
      mkdirSync(dirname(full), { recursive: true });
      if (one.kind === "write") {
        rmSync(full, { recursive: true, force: true });
        writeFileSync(full, one.bytes);
      } else if (one.kind === "link") symlinkSync(one.to, full);
      else renameSync(full, join(root, one.to));
    }
  } catch {
    // A step that cannot be done is no step.
  }
}

function manifest(root: string, folder = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const at = folder ? `${folder}/${name}` : name;
    const stats = lstatSync(join(root, at));
    if (at === ".git" || at === ".agent") continue;
    if (stats.isDirectory()) Object.assign(files, manifest(root, at));
    else if (stats.isSymbolicLink()) files[at] = `link ${readlinkSync(join(root, at))}`;
    else files[at] = `${stats.mode & 0o100 ? "x" : "-"} ${readFileSync(join(root, at)).toString("hex")}`;
  }
  return files;
}

test.each(["native", "shadow"] as const)(
  "%s",
  async (mode) => {
    const own = { ...process.env };
    const turns = fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
    const order = fc.array(fc.nat(10), { minLength: 1, maxLength: 4 });
    try {
      await fc.assert(
        fc.asyncProperty(turns, order, async (work, back) => {
          const bench = createBench();
          process.env.HOME = bench.env.HOME;
          try {
            if (mode === "native") bench.sh("git init -q && echo 1 > a && git add -A && git commit -qm x");
            const vcs = new SessionVcs(resolveVcsPlan(bench.root, { mode }), "law");
            const states = [manifest(bench.root)];
            for (const steps of work) {
              await vcs.beginTurn();
              for (const one of steps) carryOut(bench.root, one);
              const { saved } = await vcs.commitTurn("completed");
              if (saved) states.push(manifest(bench.root));
            }
            expect(await vcs.listTurns()).toHaveLength(states.length - 1);
            const user = mode === "native" ? userState(bench, bench.root) : "";
            for (const pick of states.length > 1 ? back : []) {
              const turn = pick % states.length;
              expect((await vcs.restoreTurn(turn)).failed).toEqual([]);
              expect(manifest(bench.root)).toEqual(states[turn]);
            }
            if (mode === "native") expect(userState(bench, bench.root)).toBe(user);
          } finally {
            bench.dispose();
          }
        }),
        { numRuns: 4 },
      );
    } finally {
      process.env = own;
    }
  },
  600_000,
);
