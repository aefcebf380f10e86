import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { ToolResult } from "../../src/shared/contracts";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerWebTools, type WebToolOptions } from "../../src/tools/web";
import { resolveBackends } from "../../src/tools/web/search/backends";
import { createBrave } from "../../src/tools/web/search/brave";
import { createDuckDuckGo } from "../../src/tools/web/search/duckDuckGo";
import type { WebSearchBackend } from "../../src/tools/web/search/SearchBackend";
import { createSearxng } from "../../src/tools/web/search/searxng";
import { createAskService } from "../../src/tools/web/search/service";
import { createTavily } from "../../src/tools/web/search/tavily";
import { callers } from "./toolBench";
import { listen } from "./webStage";

const ask = createAskService({ timeLimitMs: 5_000 });

/** What a service was asked, in full. */
interface Asked {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: string;
}

async function service(answer: string | object, status = 200): Promise<{ base: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const port = await listen(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { method = "", url = "", headers } = request;
    asked.push({ method, url: new URL(url, "http://x"), headers, body });
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return { base: `http://127.0.0.1:${port}`, asked };
}

async function search(options: WebToolOptions, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const registry = new ToolRegistry();
  registerWebTools(registry, undefined, { env: {}, ...options });
  return callers(registry).call("web_search", { query: "a b&c", ...args });
}

const HIT = { title: "T <b>one</b> &amp; more", url: "https://one.example/", snippet: "S\n one" };
const CLEAN = { title: "T one & more", url: "https://one.example/", snippet: "S one" };

describe("each service is asked its own way and answers alike", () => {
  test("SearXNG", async () => {
    const { base, asked } = await service({
      results: [{ title: HIT.title, url: HIT.url, content: HIT.snippet }, {}, { title: 7 }],
    });
    const hits = await createSearxng(`${base}/searx/?language=de`, ask).search("a b&c", 2, undefined);
    expect(hits).toEqual([CLEAN, { title: "", url: "", snippet: "" }]);
    expect(asked[0]?.url.pathname).toBe("/searx/search");
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
      language: "de",
      q: "a b&c",
      format: "json",
    });
  });

  test("Brave", async () => {
    const { base, asked } = await service({
      web: { results: [{ title: HIT.title, url: HIT.url, description: HIT.snippet }] },
    });
    expect(await createBrave(base, "key", ask).search("a b&c", 5, undefined)).toEqual([CLEAN]);
    expect(asked[0]?.headers["x-subscription-token"]).toBe("key");
    expect(asked[0]?.url.search).toBe("?q=a+b%26c&count=5");
  });

  test("Tavily", async () => {
    const { base, asked } = await service({ results: [{ title: HIT.title, url: HIT.url, content: HIT.snippet }] });
    expect(await createTavily(base, "key", ask).search("a b&c", 5, undefined)).toEqual([CLEAN]);
    expect(asked[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer key" } });
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ query: "a b&c", max_results: 5 });
  });

  test("DuckDuckGo", async () => {
    const counter = (target: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(target)}&amp;rut=x`;
    const result = (href: string, title: string, snippet: string) =>
      `<div class="result"><h2><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
       <a class='result__snippet js' href="x">${snippet}</a></div>`;
    const { base, asked } = await service(
      `<html>${result("https://duckduckgo.com/y.js?ad_domain=shop.example", "Ad", "Buy")}
       ${result(counter("https://one.example/"), HIT.title, "S <b>\n one</b>")}
       ${result("https://two.example/?a=1&amp;b=2", "Two", "")}`,
    );
    expect(await createDuckDuckGo(base, ask).search("a b&c", 5, undefined)).toEqual([
      CLEAN,
      { title: "Two", url: "https://two.example/?a=1&b=2", snippet: "" },
    ]);
    expect(asked[0]?.url.href).toContain("/html/?q=a+b%26c");
  });

  test("DuckDuckGo tells no results from a question for a person", async () => {
    const empty = await service('<div class="no-results">No results.</div>');
    expect(await createDuckDuckGo(empty.base, ask).search("q", 5, undefined)).toEqual([]);
    const wall = await service("<form>Select all ducks</form>");
    await expect(createDuckDuckGo(wall.base, ask).search("q", 5, undefined)).rejects.toThrow("no results to a program");
  });
});

describe("the tool", () => {
  test("numbers what it found", async () => {
    const { base } = await service({
      results: [{ title: "One", url: "https://one.example/", content: "first" }, { url: "https://two.example/" }, {}],
    });
    expect(await search({ search: { url: base } }, { count: 2 })).toEqual({
      status: "ok",
      content: "1. One\n   https://one.example/\n   first\n2. https://two.example/\n   https://two.example/",
    });
  });

  test("finds the address in the environment", async () => {
    const { base, asked } = await service({ results: [] });
    const result = await search({ env: { ZQAGENT_SEARCH_URL: base } });
    expect([result.content, asked.length]).toEqual(['No results for "a b&c".', 1]);
  });

  test("takes a service of the host's own", async () => {
    const backend: WebSearchBackend = {
      name: "mine",
      search: async (query, count) => [{ title: query, url: `u${count}`, snippet: "" }],
    };
    expect((await search({ search: { backend } })).content).toBe("1. a b&c\n   u5");
  });

  test("an interrupt comes through", async () => {
    const stop = new AbortController();
    const port = await listen(() => stop.abort());
    const registry = new ToolRegistry();
    registerWebTools(registry, undefined, { env: {}, search: { url: `http://127.0.0.1:${port}` } });
    const result = await callers(registry).call("web_search", { query: "q" }, { signal: stop.signal });
    expect(result.status).toBe("interrupted");
  });
});

describe("without an answer", () => {
  test.each([
    [401, "", "answered with HTTP 401: the key is not accepted"],
    [429, "", "answered with HTTP 429: too many searches"],
    [302, "", "answered with HTTP 302"],
    [200, "<html>", "answered with something that is no JSON"],
  ])("HTTP %i %j", async (status, body, reason) => {
    const { base } = await service(body, status);
    const result = await search({ search: { backend: "searxng", url: base } });
    expect(result.status).toBe("error");
    expect(result.content).toMatch(/^Web search is not available: 127\.0\.0\.1:\d+ .*\. Continue without it\.$/);
    expect(result.content).toContain(reason);
  });

  test("nobody listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect((await search({ search: { backend: "searxng", url: `http://127.0.0.1:${port}` } })).content).toBe(
      `Web search is not available: 127.0.0.1:${port} cannot be reached (ECONNREFUSED). Continue without it.`,
    );
  });

  test("nothing comes in time", async () => {
    const port = await listen(() => undefined);
    const options = { search: { backend: "searxng", url: `http://127.0.0.1:${port}` }, timeLimitMs: 50 };
    expect((await search(options)).content).toContain("gave no answer within 0.05 s");
  });

  test.each([
    ["brave", "the search service brave needs BRAVE_API_KEY"],
    ["searxng", "the search service searxng needs ZQAGENT_SEARCH_URL"],
    ["altavista", 'there is no search service "altavista" (there are: searxng, brave, tavily, duckduckgo)'],
  ])("the service that was named cannot be used: %s", async (backend, reason) => {
    expect((await search({ search: { backend } })).content).toBe(
      `Web search is not available: ${reason}. Continue without it.`,
    );
  });
});

test.each([
  [{}, ["duckduckgo"]],
  [{ TAVILY_API_KEY: "t", BRAVE_API_KEY: "b" }, ["brave", "tavily", "duckduckgo"]],
  [{ ZQAGENT_SEARCH_URL: "http://s.example" }, ["searxng", "duckduckgo"]],
  [{ BRAVE_API_KEY: "" }, ["duckduckgo"]],
])("with %j these are tried", (env, names) => {
  expect(resolveBackends(undefined, { env }, ask).map(({ name }) => name)).toEqual(names);
});
