// Guide 9.3: the stream as server-sent events; a client that goes away interrupts the turn.
import { createServer } from "node:http";
import { createDefaultEngine } from "@zqagent/core";

/** @typedef {import("node:http").ServerResponse} Response */
/** @typedef {{ params: { id: string }, body: { text?: unknown } }} Request */

/** @param {import("@zqagent/core").WsEvent} event */
function toSse(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

const sessions = new Map([["s1", { engine: createDefaultEngine({ workspace: process.cwd() }) }]]);

/** Stands for a web framework: one route, JSON in. */
const app = {
  /** @type {(req: Request, res: Response) => Promise<void>} */
  handler: async () => {},
  /** @param {string} _path @param {(req: Request, res: Response) => Promise<void>} handler */
  post(_path, handler) {
    this.handler = handler;
  },
};

app.post("/sessions/:id/messages", async (req, res) => {
  const engine = sessions.get(req.params.id)?.engine;
  if (!engine) return void res.writeHead(404).end();
  res.on("close", () => engine.requestInterrupt());
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    Connection: "keep-alive",
  });
  for await (const event of engine.run(String(req.body.text))) {
    res.write(toSse(event));
  }
  res.end();
});

const server = createServer(async (req, res) => {
  let raw = "";
  for await (const chunk of req) raw += chunk;
  await app.handler({ params: { id: (req.url ?? "").split("/")[2] ?? "" }, body: JSON.parse(raw) }, res);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = server.address();
const port = typeof address === "object" ? address?.port : 0;
const answer = await fetch(`http://127.0.0.1:${port}/sessions/s1/messages`, {
  method: "POST",
  body: JSON.stringify({ text: "Hello" }),
});
console.log(answer.status, answer.headers.get("content-type"));
for (const frame of (await answer.text()).trim().split("\n\n")) {
  const [, type, data] = /^event: (\S+)\ndata: (.+)$/.exec(frame) ?? [];
  if (type !== "assistant_delta") console.log(type, Object.keys(JSON.parse(data ?? "")).includes("taskId"));
}
server.closeAllConnections();
server.close();
