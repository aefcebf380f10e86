/** Runs a recorded case through the public provider: turns, rounds of calls with stub results, everything written down. */
import { OpenAIProvider, type OpenAIProviderOptions } from "../../src/providers/OpenAIProvider";
import type { Recovery, ToolSchema } from "../../src/shared/contracts";
import type { ModelError } from "../../src/shared/errors";
import type { Message, StreamChunk } from "../../src/shared/messages";
import type { DialectCase, Json } from "./dialectCase";

export interface Round {
  text: string;
  reasoning: string;
  last: StreamChunk | undefined;
}

export interface CaseRun {
  rounds: Round[];
  error?: ModelError;
  recoveries: Recovery[];
  provider: OpenAIProvider;
  ms: number;
}

const NAMES = ["read_file", "write_file", "run_shell", "grep", "git_status"];
const PROPERTIES = Object.fromEntries(
  ["path", "content", "pattern", "command"].map((name) => [name, { type: "string" }]),
);
export const DEFAULT_TOOLS: ToolSchema[] = NAMES.map((name) => ({
  type: "function",
  function: { name, description: name, parameters: { type: "object", properties: PROPERTIES } },
}));
export const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export async function runCase(dialect: DialectCase, url: string): Promise<CaseRun> {
  const setup = dialect.setup ?? {};
  const provider = new OpenAIProvider(optionsOf(dialect, url));
  const run: CaseRun = { rounds: [], recoveries: [], provider, ms: 0 };
  const messages: Message[] = [{ role: "system", content: "You are a test." }, ...structuredClone(setup.history ?? [])];
  const began = Date.now();
  try {
    for (let turn = 0; turn < (setup.turns ?? 1); turn += 1) await runTurn(dialect, run, messages);
  } catch (error) {
    run.error = error as ModelError;
  }
  run.ms = Date.now() - began;
  return run;
}

export function optionsOf({ setup = {}, api }: DialectCase, baseURL: string): OpenAIProviderOptions {
  const mode = api === "chat" ? { OPENAI_FORCE_API_MODE: "chat" } : {};
  const env = { OPENAI_API_KEY: "sk-test-0123456789", NETWORK_RETRY_BASE_MS: "5", ...setup.env, ...mode };
  return { baseURL, env, ...pick(setup, "maxTokens"), ...pick(setup, "temperature") };
}

async function runTurn(dialect: DialectCase, run: CaseRun, messages: Message[]): Promise<void> {
  messages.push({ role: "user", content: userContent(dialect.setup?.attachments) });
  const limit = (dialect.expect.rounds?.length ?? 0) + 1;
  for (let iteration = 0; iteration < limit; iteration += 1) {
    const { text, reasoning, last } = await oneReply(dialect, run, messages);
    const { toolCalls = null, reasoningDetails, finishReason } = last ?? {};
    if (text === "" && !toolCalls) return;
    messages.push({
      role: "assistant",
      content: text,
      ...(toolCalls ? { tool_calls: toolCalls } : {}),
      ...(reasoning ? { reasoning } : {}),
      ...(reasoningDetails ? { reasoning_details: reasoningDetails } : {}),
    });
    if (!toolCalls || finishReason === "length") return;
    for (const call of toolCalls)
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: resultOf(dialect.setup ?? {}, call.function.name),
      });
  }
}

async function oneReply({ setup }: DialectCase, run: CaseRun, messages: Message[]): Promise<Round> {
  const round: Round = { text: "", reasoning: "", last: undefined };
  run.rounds.push(round);
  const opts = {
    reqId: `r${run.rounds.length}`,
    logTime: "2026-12-01T00:00:00.000Z",
    onRecovered: (info: Recovery) => run.recoveries.push(info),
  };
  const model = setup?.modelHint ?? "m-1";
  for await (const chunk of await run.provider.stream(model, messages, setup?.tools ?? DEFAULT_TOOLS, opts)) {
    round.text += chunk.content ?? "";
    round.reasoning += chunk.reasoning ?? "";
    if (chunk.finishReason !== null || chunk.toolCalls !== null) round.last = chunk;
  }
  return round;
}

function userContent(attachments: number | undefined): Message["content"] {
  if (!attachments) return "go";
  return [
    { type: "text", text: "go" },
    ...Array.from({ length: attachments }, () => ({ type: "image_url" as const, image_url: { url: PNG } })),
  ];
}

export function resultOf(setup: Json, name: string): string {
  const repeat = setup.toolResultsRepeat?.[name];
  if (repeat) return repeat.text.repeat(repeat.times);
  const results = setup.toolResultsJson ? JSON.parse(setup.toolResultsJson) : (setup.toolResults ?? {});
  return results[name] ?? "ok";
}

function pick(setup: Json, key: string): Json {
  return setup[key] === undefined ? {} : { [key]: setup[key] };
}
