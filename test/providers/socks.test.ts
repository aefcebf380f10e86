import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHttpSend, type HttpRequest } from "../../src/providers/http";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { startModelServer } from "../support/modelServer";

const GET: HttpRequest = { method: "GET", headers: {}, timeoutMs: 10_000, idleMs: 10_000 };

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

interface ProxyOptions {
  user?: string;
  /** Refuse with this reply code. */
  code?: number;
  /** Where every connection goes, whatever host was asked for. */
  target: number;
}

/** A SOCKS5 proxy that writes down which hosts it was asked for. Answers byte by byte, as a slow network may. */
async function startProxy({ user, code = 0, target }: ProxyOptions): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    let held = Buffer.alloc(0);
    let step: "greeting" | "login" | "request" = "greeting";
    const onData = (piece: Buffer) => {
      held = Buffer.concat([held, piece]);
      if (step === "greeting" && held.length >= 2 + held[1]!) {
        step = user ? "login" : "request";
        socket.write(Buffer.from([5, user ? (held.subarray(2).includes(2) ? 2 : 255) : 0]));
        held = Buffer.alloc(0);
      } else if (step === "login" && held.length > 2) {
        const name = held.subarray(2, 2 + held[1]!).toString();
        const password = held.subarray(3 + held[1]!).toString();
        step = "request";
        held = Buffer.alloc(0);
        socket.write(Buffer.from([1, `${name}:${password}` === user ? 0 : 1]));
      } else if (step === "request" && held.length > 4) {
        socket.off("data", onData);
        asked.push(held[3] === 3 ? held.subarray(5, 5 + held[4]!).toString() : `form ${held[3]}`);
        const reply = Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 80]);
        socket.write(reply.subarray(0, 3));
        socket.write(reply.subarray(3));
        if (code !== 0) return;
        const onward = connect(target, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      }
    };
    socket.on("data", onData);
  });
  return { port: await listen(server), asked };
}

async function textOf(url: string, socks: string): Promise<string> {
  const answer = await createHttpSend({ socks })(url, GET);
  let text = "";
  for await (const piece of answer.body) text += piece;
  return text;
}

describe("SOCKS5_PROXY", () => {
  test("the proxy resolves names; addresses go as bytes", async () => {
    const target = await listen(createHttpServer((request, response) => response.end(`host ${request.headers.host}`)));
    const { port, asked } = await startProxy({ target });
    expect(await textOf("http://model.test/v1", `socks5://127.0.0.1:${port}`)).toBe("host model.test");
    expect(await textOf("http://10.0.0.1/v1", `127.0.0.1:${port}`)).toBe("host 10.0.0.1");
    expect(await textOf("http://[fe80::1:2]/v1", `socks5h://127.0.0.1:${port}`)).toBe("host [fe80::1:2]");
    expect(asked).toEqual(["model.test", "form 1", "form 4"]);
  });

  test("user and password", async () => {
    const target = await listen(createHttpServer((_, response) => response.end("ok")));
    const { port } = await startProxy({ target, user: "me:p@ss" });
    expect(await textOf("http://model.test/", `socks5://me:p%40ss@127.0.0.1:${port}`)).toBe("ok");
    await expect(textOf("http://model.test/", `socks5://me:wrong@127.0.0.1:${port}`)).rejects.toMatchObject({
      errorType: "network",
      message: expect.stringContaining("refused the user"),
    });
    await expect(textOf("http://model.test/", `socks5://127.0.0.1:${port}`)).rejects.toMatchObject({
      message: expect.stringContaining("wants a user"),
    });
  });

  test("a host that the proxy cannot reach, and a proxy that is not there", async () => {
    const { port } = await startProxy({ target: 1, code: 4 });
    await expect(textOf("http://model.test/", `socks5://127.0.0.1:${port}`)).rejects.toMatchObject({
      errorType: "network",
      message: expect.stringContaining("host unreachable"),
    });
    const closed = createServer();
    const gone = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    await expect(textOf("http://model.test/", `socks5://127.0.0.1:${gone}`)).rejects.toMatchObject({
      errorType: "network",
      message: expect.stringContaining("proxy cannot be reached"),
    });
  });

  test("the provider's calls go through it", async () => {
    const { port: target } = await startModelServer([{ text: "through" }]);
    const { port, asked } = await startProxy({ target });
    const env = {
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: "http://model.test/v1",
      SOCKS5_PROXY: `socks5://127.0.0.1:${port}`,
    };
    const text = await new OpenAIProvider({ env }).chat(
      "m",
      [{ role: "user", content: "hi" }],
      {},
      { reqId: "r", logTime: "" },
    );
    expect([text, asked]).toEqual(["through", ["model.test"]]);
  });
});
