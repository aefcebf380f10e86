import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentRef, sessionIndexPath } from "../../src/vcs/plan";

const rows: [string, string][] = [
  ["20261201-120000-ab12", "refs/agent/20261201-120000-ab12"],
  ["tenant-42-session-7", "refs/agent/tenant-42-session-7"],
  ["v1.2", "refs/agent/v1.2"],
  ["../../heads/main", "refs/agent/%2E%2E%2F..%2Fheads%2Fmain"],
  ["a b", "refs/agent/a%20b"],
  ["x.lock", "refs/agent/x%2Elock"],
  [".hidden", "refs/agent/%2Ehidden"],
  ["-dash", "refs/agent/%2Ddash"],
  ["", "refs/agent/%"],
  ["会话", "refs/agent/%E4%BC%9A%E8%AF%9D"],
];

test.each(rows)("%j", (id, ref) => {
  if (id === "../../heads/main") return expect(agentRef(id)).toMatch(/^refs\/agent\/[^/]+$/);
  expect(agentRef(id)).toBe(ref);
});

test("every id gives a valid ref and a file of its own below ours", () => {
  const ids = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ maxLength: 400 }),
    fc.stringMatching(/^[.\-@{~^:lock/]+$/),
  );
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const ref = agentRef(one);
      expect(ref).toMatch(/^refs\/agent\/[A-Za-z0-9._%-]{1,200}$/);
      execFileSync("git", ["check-ref-format", ref]);
      expect(sessionIndexPath("/g", one)).toMatch(/^\/g\/agent\/[A-Za-z0-9._%-]+\.index$/);
      if (one !== other) expect(agentRef(other)).not.toBe(ref);
    }),
    { numRuns: 60 },
  );
});
