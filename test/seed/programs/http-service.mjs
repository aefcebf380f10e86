// Guide 18.1: one runtime a session, turns in line, approvals that wait for the other side.
import { ApprovalOutcome, createDefaultEngine, Mode } from "@zqagent/core";

/**
 * @typedef {object} Runtime
 * @property {ReturnType<typeof createDefaultEngine>} engine
 * @property {Promise<void>} queue
 * @property {{
 *   request: import("@zqagent/core").PermissionRequest,
 *   resolve: (o: ApprovalOutcome) => void,
 *   reject: (e: Error) => void,
 * }} [pendingApproval]
 */

/** @type {Map<string, Runtime>} */
const sessions = new Map();

/** @param {string} sessionId @param {string} workspace @returns {Runtime} */
function getRuntime(sessionId, workspace) {
  const known = sessions.get(sessionId);
  if (known) return known;

  const engine = createDefaultEngine({
    workspace,
    mode: Mode.INTERACTIVE,
    toolResultDir: `${workspace}/.agent/tool-results`,
  });
  /** @type {Runtime} */
  const runtime = { engine, queue: Promise.resolve() };
  engine.setApprover((request) => {
    return new Promise((resolve, reject) => {
      runtime.pendingApproval = { request, resolve, reject };
      setImmediate(approve, sessionId);
    });
  });
  sessions.set(sessionId, runtime);
  return runtime;
}

/** POST /sessions/:id/approve. @param {string} sessionId */
function approve(sessionId) {
  const pending = sessions.get(sessionId)?.pendingApproval;
  console.log("approved", pending?.request.toolName);
  pending?.resolve(ApprovalOutcome.ONCE);
}

/**
 * POST /sessions/:id/messages
 *
 * @param {string} sessionId
 * @param {string} workspace
 * @param {string} text
 * @param {{ write(chunk: string): void, end(): void }} res
 */
async function send(sessionId, workspace, text, res) {
  const rt = getRuntime(sessionId, workspace);
  const task = rt.queue.then(async () => {
    for await (const event of rt.engine.run(text)) {
      res.write(`event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`);
    }
  });
  rt.queue = task.catch(() => {});
  await task;
  res.end();
}

/** @param {string} label */
const printer = (label) => ({
  /** @param {string} chunk */
  write(chunk) {
    const type = /^event: (\S+)/.exec(chunk)?.[1];
    if (type === "turn_start" || type === "turn_end") console.log(label, type);
  },
  end: () => console.log(label, "closed"),
});
await Promise.all([
  send("s1", process.cwd(), "Write the file", printer("first")),
  send("s1", process.cwd(), "And then?", printer("second")),
]);
