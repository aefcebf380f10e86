/** A loopback server for one recorded case: one chunk a TCP write, with resets, cuts, hangs and delays. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { bytesOf, type CaseResponse, type DialectCase, type RecordedRequest, responseFor } from "./dialectCase";

export interface Replay {
  url: string;
  log: RecordedRequest[];
}

/** `split`: instead of the case's own chunks, its bytes in pieces that end at these offsets. */
export async function startReplay(dialect: DialectCase, split?: number[]): Promise<Replay> {
  const log: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, response) => {
    const raw = await textOf(incoming);
    const request = { n: log.length + 1, at: Date.now(), path: incoming.url ?? "", raw, body: parse(raw) };
    log.push(request);
    await answer(responseFor(dialect, request), incoming, response, split);
  });
  server.on("connection", (socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, log };
}

async function answer(
  recorded: CaseResponse,
  incoming: IncomingMessage,
  response: ServerResponse,
  split?: number[],
): Promise<void> {
  const { end, status, chunks } = recorded;
  if (end === "reset-before-headers") return void incoming.socket.resetAndDestroy();
  if (end === "hang-before-headers") return;
  const dated = (value: string) =>
    value.replace(/\{\{httpDate\+(\d+)\}\}/, (_, seconds) => new Date(Date.now() + seconds * 1000).toUTCString());
  const headers = Object.fromEntries(Object.entries(recorded.headers).map(([name, value]) => [name, dated(value)]));
  response.on("error", () => undefined);
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const piece of split ? piecesAt(Buffer.concat(chunks.map(bytesOf)), split) : chunks) {
    if (response.destroyed) return;
    if (!Buffer.isBuffer(piece) && typeof piece === "object" && piece.delayMs) await sleep(piece.delayMs);
    else await write(response, Buffer.isBuffer(piece) ? piece : bytesOf(piece));
  }
  if (end === "hang") return;
  if (end) await sleep(20);
  if (end === "reset") incoming.socket.resetAndDestroy();
  else if (end === "cut") incoming.socket.destroy();
  else response.end();
}

/** A moment between two writes, so that each arrives by itself. */
async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.write(bytes);
  await sleep(2);
}

function piecesAt(bytes: Buffer, ends: number[]): Buffer[] {
  return [...ends, bytes.length]
    .map((end, index, all) => bytes.subarray(all[index - 1] ?? 0, end))
    .filter((piece) => piece.length > 0);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parse(raw: string): RecordedRequest["body"] {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
