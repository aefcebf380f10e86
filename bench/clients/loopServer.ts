/** A scripted model in a process of its own: one-file reads, then a text. It times how long the client leaves it waiting. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRequest } from "../../src/cli/demo/script";
import { responsesEvents } from "../../src/cli/demo/wireResponses";
import { noteName, noteText } from "../notes";

const request = { model: "scripted" } as ModelRequest;
let steps = 0;
let step = 0;
let gaps: number[] = [];
let resultsBack = 0;
let requestBytes = 0;
let ended = 0;

const server = createServer(async (incoming, response) => {
  const arrived = performance.now();
  const body = await readBody(incoming);
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  if (url.pathname === "/script") {
    steps = Number(url.searchParams.get("steps"));
    step = 0;
    gaps = [];
    resultsBack = 0;
    response.end();
    return;
  }
  if (url.pathname === "/figures") return void response.end(JSON.stringify({ gaps, resultsBack, requestBytes }));
  if (!url.pathname.endsWith("/responses")) return void response.writeHead(404).end("{}");
  requestBytes = body.length;
  if (step > 0) gaps.push(arrived - ended);
  if (step > 0 && body.includes(noteText(step - 1))) resultsBack += 1;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(responsesEvents(replyOf(step, body.length), request, step).join(""));
  ended = performance.now();
  step += 1;
});

function replyOf(at: number, bytes: number) {
  const usage = { input: Math.ceil(bytes / 4), output: 20 };
  if (at >= steps) return { text: "All notes are read.", usage };
  return { text: `Reading note ${at}.`, calls: [{ name: "read_file", args: { path: noteName(at) } }], usage };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

server.on("connection", (socket) => socket.setNoDelay(true));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// It ends with its parent.
process.stdin.on("end", () => process.exit(0)).resume();
