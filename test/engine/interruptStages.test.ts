/** An interrupt ends a turn at once whatever the network is at, and the server sees the connection die. */
import dns from "node:dns";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { only } from "../support/drain";
import { engineWith } from "./engineUnderTest";

/** Long for a machine under load; what is tested for is that nothing waits for a network. */
const AT_ONCE_MS = 200;

interface Place {
  port: number;
  /** Resolves with the first connection, or request, that the server hears of. */
  reached: Promise<unknown>;
  sockets: Set<Socket>;
}

async function listen(server: Server, reachedAt: string): Promise<Place> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  const reached = once(server, reachedAt);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, reached, sockets };
}

/** Interrupts a turn when `stage` is reached; milliseconds until it had ended. */
async function interruptAt(
  baseURL: string,
  stage: Promise<unknown>,
  env: Record<string, string> = {},
): Promise<number> {
  const provider = new OpenAIProvider({
    baseURL,
    env: { OPENAI_API_KEY: "test-key", OPENAI_FORCE_API_MODE: "chat", ...env },
  });
  const { engine } = engineWith([], { provider });
  let began = Number.NaN;
  const stopped = stage.then(() => {
    began = performance.now();
    engine.requestInterrupt();
  });
  const events = [];
  for await (const event of engine.run("go")) events.push(event);
  const ms = performance.now() - began;
  await stopped;
  expect(only(events, "turn_end")).toMatchObject([{ status: "interrupted" }]);
  return ms;
}

async function allDead({ sockets }: Place): Promise<void> {
  await vi.waitFor(() => expect(sockets.size).toBe(0), { timeout: 2_000, interval: 5 });
}

const CHUNK = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';

test("while the name is looked up", async () => {
  const place = await listen(createTcpServer(), "connection");
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answer: () => void = () => undefined;
  const look = vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: unknown,
    done: (...found: unknown[]) => void,
  ) => {
    answer = () => done(null, [{ address: "127.0.0.1", family: 4 }]);
    asked();
  }) as typeof dns.lookup);
  onTestFinished(() => look.mockRestore());
  expect(await interruptAt(`http://slow-name.test:${place.port}/v1`, isAsked)).toBeLessThan(AT_ONCE_MS);
  answer();
  await allDead(place);
});

test("while a proxy is asked for a way", async () => {
  const place = await listen(createTcpServer(), "connection");
  const env = { SOCKS5_PROXY: `socks5://127.0.0.1:${place.port}` };
  expect(await interruptAt("http://somewhere.test/v1", place.reached, env)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});

test("in the middle of the TLS handshake", async () => {
  const place = await listen(createTcpServer(), "connection");
  expect(await interruptAt(`https://127.0.0.1:${place.port}/v1`, place.reached)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});

test("in the middle of the TLS handshake through a proxy", async () => {
  let said: () => void = () => undefined;
  const hello = new Promise<void>((resolve) => {
    said = resolve;
  });
  const proxy = createTcpServer((socket) => {
    const answers = [Buffer.from([5, 0]), Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])];
    socket.on("data", () => {
      const next = answers.shift();
      if (next) socket.write(next);
      else said();
    });
  });
  const place = await listen(proxy, "connection");
  const env = { SOCKS5_PROXY: `socks5://127.0.0.1:${place.port}` };
  expect(await interruptAt("https://somewhere.test/v1", hello, env)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["before the headers", () => undefined],
  ["after the headers", (response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()],
  ["in the middle of the body", (response) => void response.writeHead(200).write(CHUNK)],
  [
    "in the middle of a compressed body",
    (response) => void response.writeHead(200, { "content-encoding": "gzip" }).write(Buffer.from([0x1f, 0x8b])),
  ],
  ["in the middle of a refusal", (response) => void response.writeHead(500).write('{"error":')],
])("%s", async (_, answer) => {
  const server = createServer((_request, response) => answer(response));
  const place = await listen(server, "request");
  expect(await interruptAt(`http://127.0.0.1:${place.port}/v1`, place.reached)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});

test("at the place that a redirect leads to", async () => {
  let there: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    there = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/moved")) there();
    else response.writeHead(307, { location: "/moved" }).end();
  });
  const place = await listen(server, "request");
  expect(await interruptAt(`http://127.0.0.1:${place.port}/v1`, arrived)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});

test("while a limit is waited out: no second request comes", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(429, { "retry-after": "30" }).end('{"error":{"message":"slow down"}}');
  });
  const place = await listen(server, "request");
  const waiting = place.reached.then(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await interruptAt(`http://127.0.0.1:${place.port}/v1`, waiting)).toBeLessThan(AT_ONCE_MS);
  expect(requests).toBe(1);
});

test("while a broken line is waited for", async () => {
  const place = await listen(
    createTcpServer((socket) => socket.resetAndDestroy()),
    "connection",
  );
  vi.stubEnv("NETWORK_RETRY_BASE_MS", "30000");
  onTestFinished(() => void vi.unstubAllEnvs());
  const waiting = place.reached.then(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await interruptAt(`http://127.0.0.1:${place.port}/v1`, waiting)).toBeLessThan(AT_ONCE_MS);
  await allDead(place);
});
