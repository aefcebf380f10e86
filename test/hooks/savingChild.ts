/** A process of its own that saves a session, for tests that kill it or give it a tiny disk. Bundled once by the build's own bundler. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";

/** Builds `FileLogHook` as a file that plain Node runs; returns its path. */
export async function bundledHook(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "zqagent-bundle-"));
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: resolve(import.meta.dirname, "../../src/hooks/FileLogHook.ts"),
      outDir,
      minify: false,
      rollupOptions: { output: { entryFileNames: "hook.mjs" } },
    },
  });
  return join(outDir, "hook.mjs");
}

/** Saves for ever, each time with a longer text; prints a line when the first checkpoint stands. */
export const saveForEver = `
const { FileLogHook } = await import(process.argv[1]);
const hook = new FileLogHook("s1", process.argv[2]);
const engine = { model: "m", messages: [] };
for (let round = 0; ; round++) {
  const text = String(round % 10).repeat(20000 + (round % 7) * 30000);
  engine.messages = [{ role: "user", content: text }, { role: "assistant", content: text }];
  hook.saveState(engine);
  if (round === 0) console.log("saved");
}`;

/** Fills the disk behind a good checkpoint, then goes through a turn; prints what it saw as JSON. */
export const runOnFullDisk = `
const { FileLogHook } = await import(process.argv[1]);
const { writeFileSync } = await import("node:fs");
const told = [];
const hook = new FileLogHook("s1", process.argv[2], { onProblem: (problem) => told.push(problem.message) });
const engine = { model: "m", messages: [{ role: "user", content: "before" }] };
hook.onEvent("message_appended", { index: 0, message: engine.messages[0] });
const first = hook.saveState(engine);
try { for (let n = 0; ; n++) writeFileSync(process.argv[2] + "/ballast" + n, "x".repeat(4096)); } catch {}
engine.messages.push({ role: "assistant", content: "y".repeat(50000) });
hook.onEvent("message_appended", { index: 1, message: engine.messages[1] });
hook.onEach({ type: "turn_end", data: { status: "completed" } });
const second = hook.saveState(engine);
console.log(JSON.stringify({ first, second, told, kept: FileLogHook.loadState("s1", process.argv[2])?.messages[0] }));`;
