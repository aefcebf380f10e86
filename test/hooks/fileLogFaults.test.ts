/** Ends that no process can prevent: killed in the middle of a save, no room on the disk (cases fa-007, fa-008, fa-041). */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { FileLogHook } from "../../src/hooks/FileLogHook";
import { bundledHook, runOnFullDisk, saveForEver } from "./savingChild";

let hookFile = "";

beforeAll(async () => {
  hookFile = await bundledHook();
});

test.skipIf(process.platform === "win32")(
  "killed at any moment, there is the old checkpoint or the new one",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "zqagent-kill-"));
    for (let round = 0; round < 12; round++) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", saveForEver, hookFile, dir]);
      await once(child.stdout, "data");
      // The moments are spread over several saves; which one it hits is of no account.
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      child.kill("SIGKILL");
      await once(child, "close");
      const state = FileLogHook.loadState("s1", dir);
      const [question, answer] = state?.messages ?? [];
      expect(question?.content).toMatch(/^(\d)\1+$/);
      expect(answer?.content).toBe(question?.content);
    }
    const hook = new FileLogHook("s1", dir);
    hook.saveState({ model: "m", messages: [] });
    expect(readdirSync(dir).sort()).toEqual(["s1.jsonl", "s1_state.json"]);
  },
);

/** A disk of 64 KiB in a mount namespace of its own; undefined where this machine does not give one. */
function onTinyDisk(code: string): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), "zqagent-tiny-"));
  const mount = 'mount -t tmpfs -o size=64k none "$1" || exit 77; shift; exec "$@"';
  const node = [process.execPath, "--input-type=module", "-e", code, hookFile, dir];
  const [command, ...args] = ["unshare", "-rm", "sh", "-c", mount, "sh", dir, ...node];
  const run = spawnSync(command!, args, { encoding: "utf8" });
  return run.status === 0 ? run.stdout : undefined;
}

test("a full disk: the turn ends, the person is told once, the old checkpoint stands", (context) => {
  const output = onTinyDisk(runOnFullDisk);
  if (output === undefined) return context.skip("no mount namespace on this machine");
  const { first, second, told, kept } = JSON.parse(output);
  expect({ first, second, kept }).toEqual({ first: true, second: false, kept: { role: "user", content: "before" } });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("disk full");
});

test("a log of 60 MB is streamed: what is not history is passed over", () => {
  const dir = mkdtempSync(join(tmpdir(), "zqagent-huge-"));
  const file = openSync(join(dir, "s1.jsonl"), "w");
  const t = "2026-12-01T10:00:00.000Z";
  const noise = JSON.stringify({ t, type: "tool_finished", data: { display: "x".repeat(30_000) } });
  for (let n = 0; n < 2000; n++) {
    const message = { role: "user", content: `prompt ${n}` };
    writeSync(file, `${noise}\n${JSON.stringify({ t, type: "message_appended", data: { index: n, message } })}\n`);
  }
  closeSync(file);
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const state = FileLogHook.rebuild("s1", dir);
  const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before;
  expect(state?.messages).toHaveLength(2000);
  expect(state?.messages[1999]).toEqual({ role: "user", content: "prompt 1999" });
  expect(grown).toBeLessThan(100 << 20);
});
