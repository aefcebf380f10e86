/** Every event of the guide's table (9.2) is seen with its fields, and every status with its meaning. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ApprovalOutcome,
  type CreateEngineOpts,
  createDefaultEngine,
  Mode,
  saveAttachments,
  setDirectoryHandler,
  setPlanHandler,
  setQuestionHandler,
  type TurnEngine,
  type WsEvent,
} from "../../src/index";
import { ScriptedProvider } from "../support/scriptedProvider";
import { events as table } from "./seedNames";

const seen: WsEvent[] = [];
let workspace: string;

beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), "zqagent-events-"));
  process.env.NETWORK_RETRY_BASE_MS = "1";
  setQuestionHandler(() => "yes");
  setPlanHandler(() => true);
  setDirectoryHandler(() => false);
  await eventful();
  await denied();
  await interrupted();
  await failing();
  await compacting();
});

afterAll(() => {
  setQuestionHandler(null);
  setPlanHandler(null);
  setDirectoryHandler(null);
  delete process.env.NETWORK_RETRY_BASE_MS;
  rmSync(workspace, { recursive: true, force: true });
});

// session_named is the host's to tell: an engine never makes one (9.2).
test.each(Object.entries(table).filter(([type]) => type !== "session_named"))("%s", (type, fields) => {
  const found = seen.filter((event) => event.type === type).map(({ data }) => data);
  expect(found.length).toBeGreaterThan(0);
  for (const field of fields) {
    const name = field.replace("?", "");
    const having = found.filter((data) => data[name] !== undefined);
    if (field.endsWith("?")) expect(having.length, `some ${name}`).toBeGreaterThan(0);
    else expect(having.length, `every ${name}`).toBe(found.length);
  }
});

test("session_named is not produced", () => {
  expect(seen.filter(({ type }) => type === "session_named")).toEqual([]);
});

test.each([
  ["tool_finished", ["denied", "error", "interrupted", "ok"]],
  ["turn_end", ["completed", "error", "interrupted", "max_iterations_exceeded"]],
])("%s has each of its statuses", (type, statuses) => {
  const found = new Set(seen.filter((event) => event.type === type).map(({ data }) => data["status"]));
  expect([...found].sort()).toEqual(statuses);
});

test("all of them can be sent as JSON", () => {
  expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
});

function engineWith(script: ConstructorParameters<typeof ScriptedProvider>[0], opts: Partial<CreateEngineOpts> = {}) {
  const provider = new ScriptedProvider(script, [{ text: `1. Task. ${"Nothing else. ".repeat(20)}` }]);
  return createDefaultEngine({ workspace, provider, model: "gpt-4o", defaultApproval: "allow", ...opts });
}

async function collect(stream: ReturnType<TurnEngine["run"]>, meet?: (event: WsEvent) => void): Promise<void> {
  for await (const event of stream) {
    seen.push(event);
    meet?.(event);
  }
}

async function eventful(): Promise<void> {
  const attachments = [{ name: "a.png", mimeType: "image/png", dataUrl: "data:image/png;base64,iVBORw0KGgo=" }];
  const refs = saveAttachments(join(workspace, "session"), attachments);
  const engine = engineWith([
    {
      reasoning: "Hm.",
      text: "I begin.",
      calls: [
        { name: "write_file", args: { path: "a.txt", content: "a" } },
        { name: "ask_user", args: { question: "So?" } },
        { name: "propose_plan", args: { plan: "1." } },
        { name: "request_directory", args: { path: "/usr/share", reason: "to look" } },
        { name: "read_file", args: { path: "missing.txt" } },
      ],
    },
    { text: "I was about to say", fault: "cut" },
    { text: "Done." },
  ]);
  engine.queueSteering("And this.", attachments, refs);
  await collect(engine.run("Begin", "task", attachments, refs));
}

async function denied(): Promise<void> {
  const engine = engineWith([{ calls: [{ name: "run_shell", args: { command: "true" } }] }], { maxIterations: 1 });
  engine.setApprover(async () => ApprovalOutcome.DENY);
  await collect(engine.run("Run"));
}

async function interrupted(): Promise<void> {
  const engine = engineWith([{ calls: [{ name: "run_shell", args: { command: "sleep 600" } }] }]);
  await collect(engine.run("Run"), ({ type }) => type === "tool_started" && engine.requestInterrupt());
}

async function failing(): Promise<void> {
  const engine = engineWith([{ calls: [{ name: "run_shell", args: { command: "true" } }] }], {
    mode: Mode.INTERACTIVE,
  });
  engine.setApprover(async () => {
    throw new RangeError("The approver fell over.");
  });
  // What an approver throws comes out at the end, after the error event and turn_end (21).
  await expect(collect(engine.run("Run"))).rejects.toThrow("The approver fell over.");
  expect(seen.at(-1)?.type).toBe("turn_end");
}

async function compacting(): Promise<void> {
  const engine = engineWith(() => ({ text: "I see." }), { contextWindow: 60_000, capTokens: 20_000 });
  for (let turn = 0; turn < 4; turn += 1) await collect(engine.run(`${turn} ${"many words ".repeat(2_000)}`));
}
