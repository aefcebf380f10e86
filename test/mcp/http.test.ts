/** Servers behind an address: both transports, headers, and answers that never come or never end. */
import { describe, expect, it } from "vitest";
import { bench, connectedBench } from "./bench";
import { listen, sseServer, streamableServer } from "./httpServers";

const OPTIONS = { lazy: { enabled: false } };
const answer = () => ({ content: [{ type: "text", text: "the answer" }] });

describe("transports", () => {
  it.each([
    ["streams", false],
    ["plain JSON", true],
  ])("streamable HTTP, %s, with headers filled in", async (_form, asJson) => {
    const { url, seen } = await streamableServer(answer, { asJson });
    const headers = { Authorization: "Bearer ${TOKEN}" };
    const builtin = { env: { ...process.env, TOKEN: "t0k3n" } };
    const { registry, manager } = await connectedBench([{ name: "web", url, headers }], { ...OPTIONS, builtin });
    expect(await registry.call("mcp__web__ask", {})).toMatchObject({ content: "the answer", status: "ok" });
    await manager.closeAll();
    expect(new Set(seen.map((request) => request.authorization))).toEqual(new Set(["Bearer t0k3n"]));
    expect(seen.at(-1)?.method).toBe("DELETE");
  });

  it.each([
    ["found out", undefined],
    ["named", "sse"],
  ])("the older transport, %s", async (_how, type) => {
    const { url } = await sseServer(answer);
    const { registry } = await connectedBench([{ name: "old", url, ...(type && { type }) }], OPTIONS);
    expect(await registry.call("mcp__old__ask", {})).toMatchObject({ content: "the answer", status: "ok" });
  });

  it.each([
    [401, /asks for a login; set headers/],
    [404, /could not be reached/],
    [500, /could not be reached: .*broken/],
  ])("a refusal with %i is told", async (status, words) => {
    const url = await listen((_request, response) => void response.writeHead(status).end("broken"));
    const { failed } = await bench([{ name: "no", url }], OPTIONS).manager.connectAll();
    expect(failed[0]?.error).toMatch(words);
  });

  it("a server that never answers is given up", async () => {
    const url = await listen(() => {});
    const { failed } = await bench([{ name: "mute", url, connectTimeoutMs: 300 }], OPTIONS).manager.connectAll();
    expect(failed[0]?.error).toMatch(/was not ready within 0.3 s/);
  });
});

describe("answers", () => {
  it("one that breaks off ends the call at once", async () => {
    const { url } = await streamableServer(async (response, begin) => {
      await begin();
      setTimeout(() => response.destroy(), 20);
      return new Promise(() => {});
    });
    const { registry } = await connectedBench([{ name: "web", url }], OPTIONS);
    const { content, status } = await registry.call("mcp__web__ask", {});
    expect(status).toBe("error");
    expect(content).toContain("broke off before the answer came");
  });

  it("a line that breaks before the answer began is told, and the next call connects again", async () => {
    let calls = 0;
    const { url } = await streamableServer((response) => {
      calls += 1;
      if (calls > 1) return answer();
      response.destroy();
      return new Promise(() => {});
    });
    const { registry } = await connectedBench([{ name: "web", url }], OPTIONS);
    const { content, status } = await registry.call("mcp__web__ask", {});
    expect(status).toBe("error");
    expect(content).toContain("The next call connects again.");
    expect(await registry.call("mcp__web__ask", {})).toMatchObject({ content: "the answer" });
  });

  it.each([
    ["a stream", false],
    ["plain JSON", true],
  ])("one without an end is refused: %s", async (_form, asJson) => {
    const { url } = await streamableServer(
      () => ({ content: [{ type: "text", text: "x".repeat(40 * 1024 * 1024) }] }),
      { asJson },
    );
    const { registry } = await connectedBench([{ name: "web", url }], OPTIONS);
    const { content, status } = await registry.call("mcp__web__ask", {});
    expect(status).toBe("error");
    expect(content).toContain("more than 16 MB");
  });

  it("a call can be interrupted", async () => {
    const { url } = await streamableServer(() => new Promise(() => {}));
    const { registry } = await connectedBench([{ name: "web", url }], OPTIONS);
    const stop = new AbortController();
    const call = registry.call("mcp__web__ask", {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await call).toMatchObject({ status: "interrupted" });
  });
});
