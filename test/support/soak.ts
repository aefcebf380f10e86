/** Many turns over a server that fails in every way there is, from one seed: engine, provider and wire together. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ModelServer } from "../../src/cli/demo/ModelServer";
import type { ModelRequest, Reply } from "../../src/cli/demo/script";
import { TurnEngine } from "../../src/engine/TurnEngine";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { EventType, type WsEvent } from "../../src/shared/events";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

export interface SoakReport {
  turns: number;
  requests: number;
  /** How the turns ended, by status. */
  ends: Record<string, number>;
  /** Classes of the errors that turns ended with, retries included. */
  errors: Record<string, number>;
  /** Turns that had not ended when the deadline passed. */
  hangs: number;
  /** Histories that the strict server refused. */
  refusedHistories: string[];
  /** Used heap in bytes after a collection, taken now and then. */
  heap: number[];
  /** Sockets and timers that were still there after the end. */
  leaked: string[];
}

export interface SoakOptions {
  turns: number;
  seed: number;
  /** Told after each turn. */
  onTurn?: (turn: number) => void;
  /** Takes the heap's size after a collection, every so many turns. */
  heap?: { every: number; take: () => number };
}

const TURN_DEADLINE_MS = 30_000;
const WINDOW = 24_000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const random = randomOf(options.seed);
  const report: SoakReport = {
    turns: 0,
    requests: 0,
    ends: {},
    errors: {},
    hangs: 0,
    refusedHistories: [],
    heap: [],
    leaked: [],
  };
  const before = resources();
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-soak-"));
  const server = new ModelServer((request) => replyTo(request, random), {
    strict: true,
    side: (request) => (random() < 0.2 ? faultOf(random) : sideReply(request)),
  });
  const { url } = await server.start();
  const backoff = process.env.NETWORK_RETRY_BASE_MS;
  process.env.NETWORK_RETRY_BASE_MS = "1";
  const engine = engineOver(url, workspace);
  try {
    for (let turn = 1; turn <= options.turns; turn += 1) {
      await oneTurn(engine, random, report);
      takeRequests(server, report);
      if (options.heap && turn % options.heap.every === 0) report.heap.push(options.heap.take());
      options.onTurn?.(turn);
    }
  } finally {
    if (backoff === undefined) delete process.env.NETWORK_RETRY_BASE_MS;
    else process.env.NETWORK_RETRY_BASE_MS = backoff;
    await engine.dispose();
    await server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
  report.leaked = await leakedSince(before);
  return report;
}

/** One prompt, with retries where the engine says that they may help; now and then it is stopped in the middle. */
async function oneTurn(engine: TurnEngine, random: () => number, report: SoakReport): Promise<void> {
  const stopAfter = random() < 0.08 ? Math.floor(random() * 12) : -1;
  const work = (async () => {
    const prompt = `Prompt ${report.turns}: ${words(random, 30)}`;
    let status = await read(engine.run(prompt), { engine, stopAfter, report });
    for (let again = 0; status === "error" && again < 3; again += 1) {
      status = (await read(engine.retry(), { engine, stopAfter: -1, report })) ?? "refused";
    }
    return status ?? "none";
  })();
  const late = new Promise<"hang">((resolve) => setTimeout(resolve, TURN_DEADLINE_MS, "hang").unref());
  const end = await Promise.race([work, late]);
  report.turns += 1;
  report.ends[end] = (report.ends[end] ?? 0) + 1;
  if (end !== "hang") return;
  report.hangs += 1;
  engine.requestInterrupt();
  await work;
}

interface Reading {
  engine: TurnEngine;
  /** The turn is stopped at this event; -1: never. */
  stopAfter: number;
  report: SoakReport;
}

/** How the turn ended; undefined where it yielded nothing. */
async function read(
  events: AsyncIterable<WsEvent>,
  { engine, stopAfter, report }: Reading,
): Promise<string | undefined> {
  let count = 0;
  let status: string | undefined;
  for await (const event of events) {
    if (count === stopAfter) engine.requestInterrupt();
    count += 1;
    const type = String(event.data["error_type"]);
    if (event.type === EventType.ERROR) report.errors[type] = (report.errors[type] ?? 0) + 1;
    if (event.type === EventType.TURN_END) status = String(event.data["status"]);
  }
  return status;
}

function takeRequests(server: ModelServer, report: SoakReport): void {
  for (const request of server.requests) {
    report.requests += 1;
    if (request.answered === 400) report.refusedHistories.push(request.raw.slice(-400));
  }
  server.requests.length = 0;
}

function engineOver(url: string, workspace: string): TurnEngine {
  const env = {
    OPENAI_API_KEY: "soak",
    NETWORK_RETRY_BASE_MS: "1",
    OPENAI_STREAM_IDLE_MS: "80",
    OPENAI_TIMEOUT_MS: "150",
  };
  const registry = new ToolRegistry();
  for (const name of ["look", "change"]) {
    registry.register(
      async (args: Record<string, unknown>) => `${name} did ${JSON.stringify(args)} ${"x".repeat(200)}`,
      {
        category: "file",
        riskLevel: name === "look" ? "low" : "high",
        requiresApproval: name === "change",
        capabilities: [],
        ...(name === "change" && { writes: () => ["a.txt"] }),
      },
      {
        type: "function",
        function: { name, parameters: { type: "object", properties: { path: { type: "string" } } } },
      },
    );
  }
  return new TurnEngine({
    provider: new OpenAIProvider({ baseURL: url, env }),
    registry,
    permissions: new PermissionEngine({ workspaceRoot: workspace, mode: Mode.AUTO }),
    model: "soak",
    instructions: "You are under test.",
    lang: "en",
    contextWindow: WINDOW,
    maxIterations: 8,
  });
}

function replyTo(_request: ModelRequest, random: () => number): Reply {
  return random() < 0.3 ? faultOf(random) : soundReply(random);
}

function soundReply(random: () => number): Reply {
  const slow = random() < 0.05 ? { everyMs: 2 } : {};
  const usage = random() < 0.2 ? { usage: null } : {};
  const reasoning = random() < 0.3 ? { reasoning: words(random, 20) } : {};
  if (random() < 0.5) return { text: words(random, 60), ...slow, ...usage, ...reasoning };
  const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    name: random() < 0.5 ? "look" : "change",
    args: random() < 0.05 ? '{"path": "a.t' : { path: words(random, 1) },
  }));
  return { calls, ...(random() < 0.5 && { text: words(random, 8) }), ...usage, ...reasoning };
}

/** Everything that a wire and a server can do wrong. */
function faultOf(random: () => number): Reply {
  const faults: Reply[] = [
    { text: words(random, 30), fault: "cut" },
    { text: words(random, 30), fault: "reset" },
    { calls: [{ name: "change", args: { path: words(random, 3) } }], fault: "cut" },
    { text: words(random, 30), fault: "garbage" },
    { text: words(random, 30), fault: "hang" },
    { fault: "hang-before-headers" },
    { status: 429, headers: { "retry-after-ms": "3" }, body: { error: { message: "Rate limit reached" } } },
    { status: 429, headers: { "retry-after": "7200" }, body: { error: { message: "Rate limit reached" } } },
    { status: 500, body: { error: { message: "Internal error" } } },
    { status: 503, body: "upstream connect error" },
    { status: 200, body: "<html><title>Gateway</title></html>" },
    { text: "" },
    { text: words(random, 20), finish: "length" },
    { calls: [{ name: "look", args: '{"path": "half' }], finish: "length" },
    { text: words(random, 10), finish: "error" },
  ];
  return faults[Math.floor(random() * faults.length)] ?? {};
}

function sideReply(_request: ModelRequest): Reply {
  return { text: "## Goal\nA test of endurance.\n## State\nIt goes on.\n## Next\nThe next prompt." };
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () =>
    createHash("sha1").update(String(random())).digest("hex").slice(0, 7),
  ).join(" ");
}

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const watched = /TCP|Timeout|Immediate/;

function resources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo().filter((name) => watched.test(name)))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What is there beyond what was there before; what closes within a second is no leak. */
async function leakedSince(before: Map<string, number>): Promise<string[]> {
  const beyond = () =>
    [...resources()]
      .filter(([kind, count]) => count > (before.get(kind) ?? 0))
      .map(([kind, count]) => `${count} ${kind}`);
  const until = Date.now() + 2_000;
  while (beyond().length > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  return beyond();
}
