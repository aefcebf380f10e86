/** Agents that reach their hosts through a SOCKS5 proxy (RFC 1928, user and password by RFC 1929); the proxy resolves names. */

import { type AgentOptions, Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { httpsModule, tlsModule } from "./lateModules";

interface Target {
  host: string;
  port: number;
}

/** An option beside Node's own: until when a way is wanted. A request that is given up has no socket to close yet. */
export interface Wanted {
  until?: AbortSignal;
}

type Connected = (error: Error | null, stream: Duplex) => void;

/** `url` as in SOCKS5_PROXY: `socks5://[user:password@]host:port`. `options` go to both agents. */
export function createSocksAgents(url: string, options: AgentOptions): { http: HttpAgent; https: HttpsAgent } {
  const proxy = new URL(url.includes("://") ? url : `socks5://${url}`);
  return { http: new SocksHttpAgent(proxy, options), https: createSecureAgent(proxy, options) };
}

/** A proxy that says nothing for so long is given up (milliseconds). */
const DIAL_MS = 20_000;
const PORT_BYTES = 2;

class SocksHttpAgent extends HttpAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  /** Node calls this; what comes later goes to the callback. */
  override createConnection(options: object, done?: Connected): undefined {
    dial(this.#proxy, targetOf(options), options).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
  }
}

function createSecureAgent(proxy: URL, options: AgentOptions): HttpsAgent {
  class SocksHttpsAgent extends httpsModule().Agent {
    override createConnection(options: object, done?: Connected): undefined {
      const target = targetOf(options);
      const secured = (socket: Socket) =>
        tlsModule().connect({ ...options, socket, ...(isIP(target.host) ? {} : { servername: target.host }) });
      dial(proxy, target, options).then(
        (socket) => done?.(null, secured(socket)),
        (error: Error) => done?.(error, undefined as unknown as Duplex),
      );
    }
  }
  return new SocksHttpsAgent(options);
}

function targetOf(options: object): Target {
  const { host, hostname, port } = options as { host?: string; hostname?: string; port?: number | string };
  return { host: (host ?? hostname ?? "localhost").replace(/^\[|\]$/g, ""), port: Number(port ?? 80) };
}

async function dial(proxy: URL, target: Target, { until }: Wanted): Promise<Socket> {
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ""), port: Number(proxy.port || 1080) });
  socket.setNoDelay(true);
  const timer = setTimeout(() => socket.destroy(new Error("it gave no answer in time")), DIAL_MS);
  const giveUp = () => socket.destroy(new Error("nobody waits for it any more"));
  until?.addEventListener("abort", giveUp, { once: true });
  const reader = readerOf(socket);
  try {
    await greet(proxy, socket, reader);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(target)]));
    const head = await reader.take(4);
    const code = head[1] ?? 1;
    if (code !== 0)
      throw new Error(`the SOCKS5 proxy could not reach ${target.host} (${REPLIES[code] ?? `code ${code}`})`);
    await reader.take((await addressLength(head[3], reader)) + PORT_BYTES);
    reader.release();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    until?.removeEventListener("abort", giveUp);
  }
}

/** The proxy's answer names an address of its own, in one of three forms. */
async function addressLength(form: number | undefined, reader: Reader): Promise<number> {
  if (form === 1) return 4;
  return form === 4 ? 16 : ((await reader.take(1))[0] ?? 0);
}

async function greet(proxy: URL, socket: Socket, reader: Reader): Promise<void> {
  const methods = proxy.username ? [0, 2] : [0];
  socket.write(Buffer.from([5, methods.length, ...methods]));
  const [, method] = await reader.take(2);
  if (method === 0) return;
  if (method !== 2 || !proxy.username) throw new Error("the SOCKS5 proxy wants a user and a password");
  const user = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
  const [, status] = await reader.take(2);
  if (status !== 0) throw new Error("the SOCKS5 proxy refused the user or the password");
}

/** Names go to the proxy as names; only literal addresses are sent as bytes. */
function addressOf({ host, port }: Target): Buffer {
  const portBytes = Buffer.from([port >> 8, port & 255]);
  if (isIP(host) === 4) return Buffer.concat([Buffer.from([1, ...host.split(".").map(Number)]), portBytes]);
  if (isIP(host) === 6) return Buffer.concat([Buffer.from([4]), bytesOfIPv6(host), portBytes]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([3, name.length]), name, portBytes]);
}

function bytesOfIPv6(host: string): Buffer {
  const [head = "", tail = ""] = host.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const gap = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: gap }, () => "0"), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

interface Reader {
  take(count: number): Promise<Buffer>;
  /** Gives back what was read too much and stops listening. */
  release(): void;
}

function readerOf(socket: Socket): Reader {
  let held = Buffer.alloc(0);
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  const onData = (piece: Buffer) => {
    held = Buffer.concat([held, piece]);
    wake?.();
  };
  const onEnd = (error?: Error) => {
    failure ??=
      error instanceof Error
        ? new Error(`the SOCKS5 proxy cannot be reached: ${error.message}`)
        : new Error("the SOCKS5 proxy closed the connection");
    wake?.();
  };
  socket.on("data", onData).once("error", onEnd).once("close", onEnd);
  return {
    async take(count) {
      while (held.length < count && !failure) await new Promise<void>((resolve) => (wake = resolve));
      if (held.length < count && failure) throw failure;
      const taken = held.subarray(0, count);
      held = held.subarray(count);
      return taken;
    },
    release() {
      socket.off("data", onData).off("error", onEnd).off("close", onEnd);
      // It goes on flowing: a paused socket would stay so, and servers do not speak first here.
      if (held.length > 0) socket.unshift(held);
    },
  };
}

const REPLIES: Record<number, string> = {
  1: "general failure",
  2: "not allowed by its rules",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};
