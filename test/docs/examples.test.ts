/** The programs of docs/examples run as their readers run them: the built package, real HTTP, a scripted model. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../support/modelServer";

const examples = join(import.meta.dirname, "..", "..", "docs", "examples");
const folder = () => mkdtempSync(join(tmpdir(), "zqagent-example-"));
const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

test("embedded: asks, refuses the command, answers", async () => {
  const server = await startModelServer([
    { text: "Let me see.", calls: [{ name: "run_shell", args: { command: "touch made.txt" } }] },
    { text: "It is a project." },
  ]);
  const cwd = folder();
  const { code, stdout } = await run("embedded.mjs", ["what is this?"], { url: server.url, cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Let me see\.[\s\S]*\[asks\] run_shell[\s\S]*\[denied\] run_shell[\s\S]*It is a project\.[\s\S]*\[end\] completed/,
  );
  expect(existsSync(join(cwd, "made.txt"))).toBe(false);
});

test("httpServer: an approval waits for a second request", async () => {
  const server = await startModelServer([{ calls: [write("a.txt", "hello\n")] }, { text: "Written." }]);
  const cwd = folder();
  const child = start("httpServer.mjs", [], { url: server.url, cwd });
  const port = /listening on (\d+)/.exec(await lineOf(child, /listening/))?.[1];
  const url = `http://127.0.0.1:${port}/sessions/s1`;
  const response = await fetch(`${url}/messages`, { method: "POST", body: JSON.stringify({ text: "write it" }) });
  let seen = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    seen += new TextDecoder().decode(chunk);
    const asked = /event: permission_required\ndata: (.*)\n/.exec(seen)?.[1];
    if (asked && !existsSync(join(cwd, "a.txt")) && !seen.includes("answered")) {
      seen += "answered";
      const { reqId } = JSON.parse(asked) as { reqId: string };
      const answer = await fetch(`${url}/approvals/${reqId}`, { method: "POST", body: '{"outcome":"once"}' });
      expect(answer.status).toBe(200);
    }
  }
  expect(seen).toContain("event: turn_end");
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("hello\n");
  expect((await fetch(`${url}/approvals/none`, { method: "POST", body: '{"outcome":"once"}' })).status).toBe(404);
});

test.each(["SIGTERM", "SIGKILL"] as const)("httpServer: an open approval outlives the process (%s)", async (signal) => {
  const calls = [write("a.txt", "hello\n"), { name: "run_shell", args: { command: "echo ran >> ran.txt" } }];
  const server = await startModelServer([{ calls }, { text: "Written." }], { strict: true });
  const cwd = folder();
  const open = async () => {
    const child = start("httpServer.mjs", [], { url: server.url, cwd });
    const port = /listening on (\d+)/.exec(await lineOf(child, /listening/))?.[1];
    return { child, url: `http://127.0.0.1:${port}/sessions/s1` };
  };
  const first = await open();
  const turn = await fetch(`${first.url}/messages`, { method: "POST", body: '{"text":"write it"}' });
  await textUntil(turn, /event: permission_required/);
  const gone = new Promise((resolve) => first.child.once("exit", resolve));
  first.child.kill(signal);
  await gone;

  const { url } = await open();
  const waiting = (await (await fetch(`${url}/approvals`)).json()) as { reqId: string; name: string }[];
  expect(waiting.map(({ name }) => name)).toEqual(["write_file", "run_shell"]);
  const answer = (reqId = "", outcome = "once") =>
    fetch(`${url}/approvals/${reqId}`, { method: "POST", body: JSON.stringify({ outcome }) });
  expect((await answer(waiting[0]?.reqId)).status).toBe(200);
  const rest = await fetch(`${url}/resume`, { method: "POST", body: "{}" });
  const reading = textUntil(rest, /event: turn_end/);
  await expect.poll(() => existsSync(join(cwd, "a.txt"))).toBe(true);
  expect((await answer(waiting[1]?.reqId, "deny")).status).toBe(200);
  expect(await reading).toMatch(/"status":"completed"/);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("hello\n");
  expect(existsSync(join(cwd, "ran.txt"))).toBe(false);
  expect(await (await fetch(`${url}/approvals`)).json()).toEqual([]);
  expect(server.server.requests.map(({ answered }) => answered)).toEqual([200, 200]);
});

test("desktopSidecar: JSON lines, saved at the end, restored at the next start", async () => {
  const server = await startModelServer([{ calls: [write("a.txt", "x")] }, { text: "Done." }]);
  const cwd = folder();
  const first = start("desktopSidecar.mjs", [], { url: server.url, cwd });
  const send = (value: unknown) => first.stdin?.write(`${JSON.stringify(value)}\n`);
  await lineOf(first, /"ready"/);
  send({ type: "prompt", text: "write" });
  const asked = JSON.parse(await lineOf(first, /permission_required/)) as { data: { reqId: string } };
  send({ type: "approval", reqId: asked.data.reqId, outcome: "once" });
  await lineOf(first, /turn_end/);
  send({ type: "quit" });
  await lineOf(first, /"saved"/);
  const second = start("desktopSidecar.mjs", [], { url: server.url, cwd });
  const { restored } = JSON.parse(await lineOf(second, /"ready"/)) as { restored: number };
  expect(restored).toBeGreaterThan(3);
});

test("worker: rules approve, the exit code tells", async () => {
  const server = await startModelServer([
    { calls: [write("out.txt", "y")] },
    { calls: [{ name: "run_shell", args: { command: "touch no.txt" } }] },
    { text: "Finished." },
  ]);
  const cwd = folder();
  const { code, stdout } = await run("worker.mjs", [cwd, "do the job"], { url: server.url, cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed", files: ["out.txt"] });
  expect(readdirSync(cwd).filter((name) => !name.startsWith("."))).toEqual(["out.txt"]);
});

test("multiTenant: two at once share nothing", async () => {
  const server = await startModelServer((request) => {
    const name =
      /tenant-\d/.exec(JSON.stringify(request.messages.filter((message) => message.role === "user")))?.[0] ?? "";
    const isDone = request.messages.at(-1)?.role === "tool";
    return isDone ? { text: "ok" } : { calls: [write("who.txt", name)] };
  });
  const cwd = folder();
  writeFileSync(join(cwd, "mine.txt"), "");
  const { code, stdout } = await run("multiTenant.mjs", [cwd], { url: server.url, cwd });
  expect(code).toBe(0);
  for (const name of ["tenant-1", "tenant-2"]) {
    expect(stdout).toContain(`${name}: completed, who.txt`);
    expect(readFileSync(join(cwd, name, "workspace", "who.txt"), "utf8")).toBe(name);
    expect(readdirSync(join(cwd, name, "state"))).toContain(`${name}.jsonl`);
  }
});

/** What a stream of events says until it says this. The stream stays open: a client that leaves would end the turn. */
async function textUntil(response: Response, pattern: RegExp): Promise<string> {
  const reader = response.body?.getReader();
  let text = "";
  while (reader && !pattern.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  return text;
}

interface Place {
  url: string;
  cwd: string;
}

function start(name: string, args: string[], { url, cwd }: Place): ChildProcess {
  const env = { ...process.env, OPENAI_API_KEY: "test-key", OPENAI_MODEL: "scripted", OPENAI_BASE_URL: url };
  const child = spawn(process.execPath, [join(examples, name), ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

function run(name: string, args: string[], place: Place): Promise<{ code: number | null; stdout: string }> {
  const child = start(name, args, place);
  let stdout = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout })));
}

/** The first line of its output, from now on, that matches. */
function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error("no stdout"));
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      if (!pattern.test(line)) return;
      lines.removeAllListeners();
      resolve(line);
    });
    child.once("exit", (code) => reject(new Error(`It ended with ${code} before ${pattern}.`)));
  });
}
