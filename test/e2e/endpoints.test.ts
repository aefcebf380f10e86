/** What an endpoint does to a run of the command: lessons kept, limits waited for, failures told, turns taken up again. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "./workshop";

const READ = { name: "read_file", args: { path: "a.txt" } };

function config(place: Workshop, settings: object): void {
  mkdirSync(join(place.home, ".zqagent"), { recursive: true });
  writeFileSync(join(place.home, ".zqagent", "config.json"), JSON.stringify(settings));
}

const limited = (ms: number) => ({
  status: 429,
  headers: { "retry-after-ms": String(ms) },
  body: { error: { message: "Too many requests for your plan", code: "rate_limit_exceeded" } },
});

describe("what an endpoint taught", () => {
  test("is kept for the next run: Chat alone costs one failed request, once", async () => {
    const place = await openWorkshop({}, () => ({ text: "by chat" }), { chatOnly: true });
    expect((await place.run(["-p", "one"])).code).toBe(0);
    const paths = () => place.server.requests.map(({ api }) => api);
    expect(paths()).toEqual(["responses", "chat"]);
    const file = join(place.home, ".zqagent", "endpoints.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.values(JSON.parse(readFileSync(file, "utf8")))).toMatchObject([{ api: "chat" }]);
    expect((await place.run(["-p", "two"])).code).toBe(0);
    expect(paths()).toEqual(["responses", "chat", "chat"]);
  });

  test("a broken file is passed over", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }));
    mkdirSync(join(place.home, ".zqagent"));
    writeFileSync(join(place.home, ".zqagent", "endpoints.json"), "{ nope");
    expect(await place.run(["-p", "one"])).toMatchObject({ code: 0, stdout: "ok\n" });
  });

  test("nothing learnt, nothing written", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }));
    await place.run(["-p", "one"]);
    expect(existsSync(join(place.home, ".zqagent", "endpoints.json"))).toBe(false);
  });
});

describe("addressing", () => {
  test("headers and query of the settings file go with every request; --api-mode chooses the protocol", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }));
    config(place, {
      headers: { "X-Title": "zqagent", "api-key": "azure-secret-1" },
      query: { "api-version": "2026-01" },
    });
    const { code, stdout, stderr } = await place.run(["-p", "one", "--api-mode", "chat", "--log-dir", "logs"]);
    expect(code).toBe(0);
    const [request] = place.server.requests;
    expect(request?.path).toBe("/v1/chat/completions?api-version=2026-01");
    expect(request?.headers).toMatchObject({ "x-title": "zqagent", "api-key": "azure-secret-1" });
    expect(stdout + stderr).not.toContain("azure-secret-1");
  });

  test("a header that would break the request is told, with the key that holds it", async () => {
    const place = await openWorkshop({}, []);
    config(place, { headers: { "X-Title": "one\ntwo" } });
    const { code, stderr } = await place.run(["-p", "one"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"headers"');
  });

  test("a project cannot set them", async () => {
    const place = await openWorkshop(
      {
        ".agent/config.json": JSON.stringify({ headers: { "X-Evil": "1" }, query: { evil: "1" }, baseUrl: "http://h" }),
      },
      () => ({ text: "ok" }),
    );
    expect((await place.run(["-p", "one"])).code).toBe(0);
    expect(place.server.requests[0]?.path).not.toContain("evil");
    expect(place.server.requests[0]?.headers).not.toHaveProperty("x-evil");
  });
});

describe("a limit", () => {
  test("that lasts long is not slept through: the time is told, and the run ends", async () => {
    const place = await openWorkshop({}, [limited(3 * 3_600_000)]);
    const { code, stderr } = await place.run(["-p", "one"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /limits how much[^\n]*\nTry again at [\d: -]+, in 3 h; with --wait-limits[^\n]*\nToo many requests/,
    );
    expect(place.server.requests).toHaveLength(1);
  });

  test("that would take longer than is allowed ends the run at once", async () => {
    const place = await openWorkshop({}, [limited(66_000), { text: "never" }]);
    config(place, { waitLimits: "1s" });
    expect((await place.run(["-p", "one"])).code).toBe(1);
    expect(place.server.requests).toHaveLength(1);
  });

  test("that is short enough is waited for, told, and the same prompt goes out again", async () => {
    const place = await openWorkshop({}, [...Array.from({ length: 4 }, () => limited(200)), { text: "at last" }]);
    const { code, stdout, stderr } = await place.run(["-p", "peel the kumquat", "--wait-limits", "1h"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "at last\n" });
    expect(stderr).toMatch(/limits how much[^\n]*Trying again in 1 s/);
    for (const { messages } of place.server.requests)
      expect(JSON.stringify(messages).match(/kumquat/g)).toHaveLength(1);
  });

  test("SIGINT ends the waiting at once", async () => {
    const place = await openWorkshop({}, [limited(3_600_000)]);
    const began = performance.now();
    const { code, stderr } = await place.run(["-p", "one", "--wait-limits", "2h"], {
      started: (pid) => {
        void place.server.waitForRequest(1).then(() => setTimeout(() => process.kill(pid, "SIGINT"), 300));
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/Waiting until/);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

describe("a turn that died", () => {
  test("in mid-stream with its process is repaired by -c, and the work goes on", async () => {
    const place = await openWorkshop({ "a.txt": "one\n" }, [
      { calls: [READ] },
      { text: "It says one, and that ", fault: "hang" },
      { text: "It says one." },
    ]);
    const killed = await place.run(["-p", "what is in a.txt?"], {
      started: (pid) => {
        void place.server.waitForRequest(2).then(() => setTimeout(() => process.kill(pid, "SIGKILL"), 200));
      },
    });
    expect(killed.code).toBeNull();
    expect(await place.run(["-c", "-p", "go on"])).toMatchObject({ code: 0, stdout: "It says one.\n" });
    const last = place.server.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(last)).toContain("what is in a.txt?");
    expect(last.filter(({ role }) => role === "tool")).toHaveLength(1);
    expect(place.server.requests.every(({ answered }) => answered === 200)).toBe(true);
  });

  test("is taken up by /retry on the screen: the prompt is not sent again", async () => {
    const place = await openWorkshop({ "a.txt": "one\n" }, [
      { calls: [READ] },
      { text: "It says one, and that ", fault: "hang" },
      { text: "It says one." },
    ]);
    await place.run(["-p", "what is in a.txt?"], {
      started: (pid) => {
        void place.server.waitForRequest(2).then(() => setTimeout(() => process.kill(pid, "SIGKILL"), 200));
      },
    });
    const pty = place.open(["-c"]);
    await pty.waitForBuffer(/what is in a\.txt\?/);
    await pty.waitFor(/❯/);
    pty.send("/retry");
    await pty.waitFor(/❯ \/retry/);
    pty.send("\r");
    await pty.waitForBuffer(/It says one\./);
    const last = JSON.stringify(place.server.requests.at(-1)?.messages);
    expect(last.match(/what is in a\.txt/g)).toHaveLength(1);
    expect(place.server.requests.every(({ answered }) => answered === 200)).toBe(true);
  });

  test("between a call and its result goes on with a valid history", async () => {
    const slow = { name: "run_shell", args: { command: "sleep 30" } };
    const place = await openWorkshop({}, [{ calls: [slow] }, { text: "understood" }]);
    let child = 0;
    const running = place.run(["-p", "wait", "--mode", "auto", "--output-format", "stream-json"], {
      started: (pid) => {
        child = pid;
      },
    });
    await place.server.waitForRequest(1);
    const log = () =>
      place.sessions().map((id) => join(place.home, ".zqagent", "sessions", id, `${id}.jsonl`))[0] ?? "";
    await expect
      .poll(() => (existsSync(log()) ? readFileSync(log(), "utf8") : ""), { timeout: 10_000 })
      .toContain("tool_started");
    process.kill(child, "SIGKILL");
    await running;
    expect(await place.run(["-c", "-p", "go on"])).toMatchObject({ code: 0, stdout: "understood\n" });
    expect(place.server.requests.at(-1)?.answered).toBe(200);
  });
});

describe("thinking", () => {
  test("is kept in the session file and echoed to where it came from", async () => {
    const place = await openWorkshop({ "a.txt": "one\n" }, [
      { reasoning: "I must look first.", calls: [READ] },
      { reasoning: "Now I know.", text: "one" },
      { text: "still one" },
    ]);
    await place.run(["-p", "what is in a.txt?"]);
    await place.run(["-c", "-p", "again"]);
    const [id = ""] = place.sessions();
    const log = readFileSync(join(place.home, ".zqagent", "sessions", id, `${id}.jsonl`), "utf8");
    expect(log).toContain("I must look first.");
    expect(JSON.stringify(place.server.requests[2]?.body)).toContain("I must look first.");
  });
});

describe("doctor", () => {
  test("says of each thing how it stands, and masks the key", async () => {
    const place = await openWorkshop({}, [], { models: [{ id: "scripted" }, { id: "other" }] });
    const { code, stdout } = await place.run(["doctor"], { env: { OPENAI_API_KEY: "sk-abcdefghijklmnop" } });
    expect(code).toBe(0);
    const names = stdout.split("\n").flatMap((line) => /^[✓!✗] (\w+)/.exec(line)?.[1] ?? []);
    expect(names).toEqual(["node", "git", "rg", "shell", "sandbox", "terminal", "key", "endpoint", "model"]);
    expect(stdout).toContain("sk-…mnop");
    expect(stdout).not.toContain("abcdefghijkl");
    expect(stdout).toMatch(/✓ model +scripted/);
    expect(place.server.requests).toHaveLength(0);
  });

  test.each([
    ["no key", { OPENAI_API_KEY: "" }, /✗ key .*OPENAI_API_KEY/],
    ["no model", { OPENAI_MODEL: "" }, /✗ model .*OPENAI_MODEL/],
    ["nobody there", { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, /✗ endpoint .*reached[\s\S]*127\.0\.0\.1:9/],
    ["another model", { OPENAI_MODEL: "script-2" }, /✗ model .*scripted/],
  ])("%s is told with its mend, and by the exit code", async (_, env, line) => {
    const place = await openWorkshop({}, []);
    const { code, stdout } = await place.run(["doctor"], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(line);
  });

  test("--json is one list", async () => {
    const place = await openWorkshop({}, []);
    const { stdout } = await place.run(["doctor", "--json"]);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: "model", state: "good" }));
  });

  test("--probe without a terminal sends nothing until --yes", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }), { chatOnly: true });
    const asked = await place.run(["doctor", "--probe"]);
    expect(asked.code).toBe(2);
    expect(asked.stdout).toMatch(/6 tiny requests/);
    expect(asked.stderr).toContain("--yes");
    expect(place.server.requests).toHaveLength(0);
    const { code, stdout } = await place.run(["doctor", "--probe", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✗ Responses API +no/);
    expect(stdout).toMatch(/✓ Chat Completions +yes/);
    expect(stdout).toMatch(/responses-fallback/);
    expect(stdout).toContain("apiMode = chat");
    expect(stdout).not.toContain("Write them to");
    expect(existsSync(join(place.home, ".zqagent", "config.json"))).toBe(false);
  });

  test("--probe on a terminal asks first, and writes the settings that fit only when told so", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }), { chatOnly: true });
    config(place, { theme: "dark" });
    const file = join(place.home, ".zqagent", "config.json");
    chmodSync(file, 0o644);
    const pty = place.open(["doctor", "--probe"], { cols: 120 });
    await pty.waitFor(/Go on\? \[y\/N\]/);
    expect(place.server.requests).toHaveLength(0);
    pty.send("y\r");
    await pty.waitFor(/Write them to/, 20_000);
    pty.send("y\r");
    expect(await pty.exited).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ theme: "dark", apiMode: "chat" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("--probe on a terminal: no is no", async () => {
    const place = await openWorkshop({}, () => ({ text: "ok" }));
    const pty = place.open(["doctor", "--probe"], { cols: 120 });
    await pty.waitFor(/Go on\? \[y\/N\]/);
    pty.send("n\r");
    expect(await pty.exited).toBe(0);
    expect(place.server.requests).toHaveLength(0);
  });
});
