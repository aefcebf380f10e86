import { getEventListeners, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHttpSend, type HttpAnswer, type HttpRequest } from "../../src/providers/http";

const GET: HttpRequest = { method: "GET", headers: {}, timeoutMs: 10_000, idleMs: 10_000 };

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  const parts: Buffer[] = [];
  for await (const piece of body) parts.push(piece);
  return Buffer.concat(parts).toString("utf8");
}

describe("http", () => {
  test("sends method, headers and body, and answers with any status", async () => {
    const url = await listen(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      response
        .writeHead(418, { "x-a": "b" })
        .end(`${request.method} ${request.headers["x-q"]} ${request.headers["content-length"]} ${body}`);
    });
    const answer = await createHttpSend()(`${url}/x`, {
      ...GET,
      method: "POST",
      headers: { "x-q": "1" },
      body: "grüße",
    });
    expect([answer.status, answer.headers["x-a"], answer.url]).toEqual([418, "b", `${url}/x`]);
    expect(await textOf(answer)).toBe("POST 1 7 grüße");
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("decodes %s", async (encoding, compress) => {
    const url = await listen((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(compress("Grüße 你好")),
    );
    expect(await textOf(await createHttpSend()(url, GET))).toBe("Grüße 你好");
  });

  test("early hints before the answer and trailers behind it change nothing", async () => {
    const url = await listen((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.writeHead(200, { trailer: "x-sum" }).write("all ");
      response.addTrailers({ "x-sum": "1" });
      response.end("of it");
    });
    const answer = await createHttpSend()(url, GET);
    expect([answer.status, await textOf(answer)]).toEqual([200, "all of it"]);
  });

  test("a broken compressed body is a network error", async () => {
    const url = await listen((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(99)).subarray(0, 20)),
    );
    await expect(createHttpSend()(url, GET).then(textOf)).rejects.toMatchObject({
      errorType: "network",
      retriable: true,
    });
  });

  test("follows a redirect that stays with the host, body and all", async () => {
    const url = await listen(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      if (request.url === "/a") response.writeHead(307, { location: "/a/" }).end();
      else response.end(`${request.method} ${body}`);
    });
    const answer = await createHttpSend()(`${url}/a`, { ...GET, method: "POST", body: "x" });
    expect([answer.url, await textOf(answer)]).toEqual([`${url}/a/`, "POST x"]);
  });

  test.each([
    [302, "/login"],
    [307, "http://elsewhere.test/v1"],
  ])("refuses a %i to %s: the key must not travel", async (status, location) => {
    const url = await listen((_, response) => response.writeHead(status, { location }).end());
    await expect(createHttpSend()(url, GET)).rejects.toMatchObject({
      errorType: "endpoint_unsupported",
      message: expect.stringContaining("redirects to"),
    });
  });

  test("a redirect that never ends is given up", async () => {
    let hops = 0;
    const url = await listen((_, response) => {
      hops += 1;
      response.writeHead(308, { location: `/${hops}` }).end();
    });
    await expect(createHttpSend()(url, GET)).rejects.toMatchObject({ errorType: "endpoint_unsupported" });
    expect(hops).toBe(4);
  });

  test("keeps the connection, and sends again where the server has just closed a kept one", async () => {
    let connections = 0;
    const server = createTcpServer((socket: Socket) => {
      connections += 1;
      let requests = 0;
      socket
        .on("error", () => undefined)
        .on("data", () => {
          requests += 1;
          // The second request on the first connection is never answered.
          if (connections === 1 && requests === 2) socket.resetAndDestroy();
          else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const send = createHttpSend();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await textOf(await send(url, GET))).toBe("ok");
    expect(await textOf(await send(url, { ...GET, method: "POST", body: "x" }))).toBe("ok");
    expect(connections).toBe(2);
  });

  test("nobody listens: the error says where and why", async () => {
    const url = await listen(() => undefined);
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const closed = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    await expect(createHttpSend()(closed, GET)).rejects.toMatchObject({
      errorType: "network",
      message: expect.stringMatching(/127\.0\.0\.1.*nothing listens.*ECONNREFUSED/),
    });
    await expect(createHttpSend()(url, { ...GET, timeoutMs: 30 })).rejects.toMatchObject({
      errorType: "network",
      message: expect.stringContaining("OPENAI_TIMEOUT_MS"),
    });
  });

  test("silence in the middle of a body ends it, a slow reader does not", async () => {
    const url = await listen((request, response) => {
      response.write("a");
      if (request.url === "/quick") response.end("b");
    });
    const send = createHttpSend();
    await expect(send(`${url}/silent`, { ...GET, idleMs: 40 }).then(textOf)).rejects.toMatchObject({
      errorType: "stream_idle",
      retriable: true,
    });
    const { body } = await send(`${url}/quick`, { ...GET, idleMs: 40 });
    let text = "";
    for await (const piece of body) {
      text += piece;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(text).toBe("ab");
  });

  test("an abort before the headers closes the connection", async () => {
    const closed: Promise<unknown>[] = [];
    let reached: () => void = () => undefined;
    const there = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const url = await listen((request) => {
      closed.push(once(request.socket, "close"));
      reached();
    });
    const controller = new AbortController();
    const call = createHttpSend()(url, { ...GET, signal: controller.signal });
    await there;
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await closed[0];
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("an abort in the middle of the body closes the connection", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await listen((request, response) => {
      closed.push(once(request.socket, "close"));
      response.write("first");
    });
    const controller = new AbortController();
    const { body } = await createHttpSend()(url, { ...GET, signal: controller.signal });
    const reading = (async () => {
      for await (const _ of body) controller.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toThrow("enough");
    await closed[0];
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("leaving the loop closes the connection", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await listen((request, response) => {
      closed.push(once(request.socket, "close"));
      response.write("first");
    });
    const { body } = await createHttpSend()(url, GET);
    for await (const _ of body) break;
    await closed[0];
  });

  test("a signal that was aborted before opens nothing", async () => {
    let requests = 0;
    const url = await listen((_, response) => {
      requests += 1;
      response.end();
    });
    await expect(createHttpSend()(url, { ...GET, signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow(
      "never",
    );
    await textOf(await createHttpSend()(url, GET));
    expect(requests).toBe(1);
  });
});
