/**
 * Sessions over HTTP (guide 18.1). POST /sessions/:id/messages {text} streams the turn as Server-Sent Events;
 * POST /sessions/:id/approvals/:reqId {outcome} answers what `permission_required` asked.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { ApprovalOutcome, createDefaultEngine, Mode } from "zqagent";

const root = process.env.WORKSPACES ?? process.cwd();
/** One engine a session, never shared; its turns wait for one another. */
const sessions = new Map();

function sessionOf(id) {
  const known = sessions.get(id);
  if (known) return known;
  const workspace = root;
  const engine = createDefaultEngine({
    workspace,
    mode: Mode.INTERACTIVE,
    lang: "en",
    toolResultDir: join(workspace, ".agent", "tool-results", id),
  });
  const session = { engine, queue: Promise.resolve(), waiting: new Map() };
  // A request is answered by another HTTP request; the turn waits until it comes.
  engine.setApprover((request) => new Promise((resolve) => session.waiting.set(request.toolCallId, resolve)));
  sessions.set(id, session);
  return session;
}

async function message(session, text, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  // A client that goes away must not leave the engine running, nor a question open.
  response.on("close", () => {
    session.engine.requestInterrupt();
    for (const resolve of session.waiting.values()) resolve(ApprovalOutcome.DENY);
    session.waiting.clear();
  });
  for await (const event of session.engine.run(text)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`);
  }
  response.end();
}

async function handle(request, response) {
  const [, kind, id, what, reqId] = (request.url ?? "").split("/");
  if (request.method !== "POST" || kind !== "sessions" || !/^[\w-]{1,64}$/.test(id ?? ""))
    return reply(response, 404, { error: "not found" });
  const session = sessionOf(id);
  const body = await jsonOf(request);
  if (what === "messages" && typeof body.text === "string") {
    const turn = session.queue.then(() => message(session, body.text, response));
    session.queue = turn.catch(() => {});
    return turn;
  }
  if (what === "approvals" && Object.values(ApprovalOutcome).includes(body.outcome)) {
    const resolve = session.waiting.get(reqId);
    session.waiting.delete(reqId);
    resolve?.(body.outcome);
    return reply(response, resolve ? 200 : 404, { answered: Boolean(resolve) });
  }
  return reply(response, 400, { error: "bad request" });
}

async function jsonOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function reply(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
process.on("SIGTERM", async () => {
  await Promise.all([...sessions.values()].map(({ engine }) => engine.dispose()));
  process.exit(0);
});
