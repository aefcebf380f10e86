/**
 * Sessions over HTTP (guide 18.1). POST /sessions/:id/messages {text} streams the turn as Server-Sent Events;
 * POST /sessions/:id/approvals/:reqId {outcome} answers what `permission_required` asked. A question outlives the
 * process: after a restart GET /sessions/:id/approvals lists what waits, and POST /sessions/:id/resume streams the rest
 * of the turn (guide 12.4); answers may be given before or while it runs.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { ApprovalOutcome, createDefaultEngine, FileLogHook, Mode } from "zqagent";

const root = process.env.WORKSPACES ?? process.cwd();
const stateDir = join(root, ".agent", "sessions");
/** One engine a session, never shared; its turns wait for one another. */
const sessions = new Map();

/** The session as it is, or as an earlier process left it on disk. */
function sessionOf(id) {
  const known = sessions.get(id);
  if (known) return known;
  const saved = FileLogHook.loadState(id, stateDir) ?? FileLogHook.rebuild(id, stateDir);
  const hook = new FileLogHook(id, stateDir);
  const engine = createDefaultEngine({
    workspace: root,
    mode: Mode.INTERACTIVE,
    lang: "en",
    hook,
    toolResultDir: join(root, ".agent", "tool-results", id),
    ...(saved && { messages: saved.messages }),
  });
  if (saved?.permissionMode) engine.permissions.mode = saved.permissionMode;
  for (const tool of saved?.allowTools ?? []) engine.permissions.allowToolForSession(tool);
  for (const command of saved?.allowCommands ?? []) engine.permissions.allowCommandForSession(command);
  hook.attach(engine);
  const session = { engine, hook, queue: Promise.resolve(), waiting: new Map(), answers: new Map() };
  engine.setApprover((request) => answerTo(session, request.toolCallId));
  sessions.set(id, session);
  return session;
}

/** A question is answered by another HTTP request: one that has come already, or one that the turn waits for. */
async function answerTo({ hook, waiting, answers }, reqId) {
  if (!answers.has(reqId)) {
    hook.onPaused({ reqId });
    answers.set(reqId, await new Promise((resolve) => waiting.set(reqId, resolve)));
    hook.onResumed({ reqId });
  }
  const outcome = answers.get(reqId);
  answers.delete(reqId);
  return outcome;
}

async function stream({ engine, waiting }, events, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  // A client that goes away must not leave the engine running, nor a question open.
  response.on("close", () => {
    engine.requestInterrupt();
    for (const resolve of waiting.values()) resolve(ApprovalOutcome.DENY);
    waiting.clear();
  });
  for await (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`);
  }
  response.end();
}

function answer({ engine, waiting, answers }, reqId, outcome) {
  const isOpen = engine.pendingApprovals().some(({ toolCallId }) => toolCallId === reqId);
  const resolve = waiting.get(reqId);
  waiting.delete(reqId);
  if (resolve) resolve(outcome);
  else if (isOpen) answers.set(reqId, outcome);
  return isOpen;
}

function openQuestions({ engine }) {
  return engine.pendingApprovals().map(({ toolCallId, toolName, arguments: args, reason }) => {
    return { reqId: toolCallId, name: toolName, arguments: args, reason };
  });
}

async function handle(request, response) {
  const [, kind, id, what, reqId] = (request.url ?? "").split("/");
  if (kind !== "sessions" || !/^[\w-]{1,64}$/.test(id ?? "")) return reply(response, 404, { error: "not found" });
  const session = sessionOf(id);
  if (request.method === "GET" && what === "approvals") return reply(response, 200, openQuestions(session));
  if (request.method !== "POST") return reply(response, 404, { error: "not found" });
  const body = await jsonOf(request);
  const inTurn = (begin) => {
    const turn = session.queue.then(() => stream(session, begin(), response));
    session.queue = turn.catch(() => {});
    return turn;
  };
  if (what === "messages" && typeof body.text === "string") return inTurn(() => session.engine.run(body.text));
  if (what === "resume") return inTurn(() => session.engine.resume());
  if (what === "approvals" && Object.values(ApprovalOutcome).includes(body.outcome)) {
    const answered = answer(session, reqId, body.outcome);
    return reply(response, answered ? 200 : 404, { answered });
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
// What waits for an answer is left as it is, for the next process; whatever else runs is stopped.
process.on("SIGTERM", async () => {
  const idle = [...sessions.values()].filter(({ waiting }) => waiting.size === 0);
  await Promise.all(idle.map(({ engine }) => engine.dispose()));
  for (const { engine, hook } of sessions.values()) hook.saveState(engine);
  process.exit(0);
});
