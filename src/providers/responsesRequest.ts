/** Builds the body of a Responses request: the whole history each time, no state on the server, reasoning sealed in. */

import type { ToolSchema } from "../shared/contracts";
import { type Message, textOf } from "../shared/messages";
import { evictResults } from "./eviction";
import { type Body, type Outgoing, outputLimit, withoutRefused } from "./modelCall";
import { simplifySchema, withObjectRoot } from "./toolSchemas";
import { wireHistory } from "./wireHistory";
import { responsesContent } from "./wireParts";

const PREFIX = "responses:";

export function buildResponsesBody(out: Outgoing): Body {
  const { call, notes } = out;
  const history = evictResults(wireHistory(call.messages, notes.ids), out.tweaks.evictAbove);
  const [first, ...rest] = history;
  const instructions = first?.role === "system" ? textOf(first.content) : "";
  const items = (instructions ? rest : history).flatMap((message) => itemsOf(message, out));
  const tools = responsesTools(out);
  const limit = outputLimit(out);
  const body: Body = {
    model: call.model,
    ...(tools.length > 0 ? { tools } : {}),
    ...(instructions ? { instructions } : {}),
    input: out.tweaks.remark ? [...items, { role: "user", content: out.tweaks.remark }] : items,
    ...(tools.length > 0 && call.toolChoice === "none" ? { tool_choice: "none" } : {}),
    stream: true,
    store: false,
    ...(takesReasoning(out) ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
    ...(call.reasoningEffort && !call.isDeepSeek
      ? { reasoning: { effort: call.reasoningEffort, summary: "auto" } }
      : {}),
    ...(call.cacheKey && call.isOpenAI ? { prompt_cache_key: call.cacheKey } : {}),
  };
  const refused = (notes.drop ?? []).filter((name) => name.startsWith(PREFIX));
  return withoutRefused(
    body,
    refused.map((name) => name.slice(PREFIX.length)),
  );
}

function takesReasoning({ notes }: Outgoing): boolean {
  return notes.reasoningItems !== false;
}

function itemsOf(message: Message, out: Outgoing): Body[] {
  if (message.role === "tool")
    return [{ type: "function_call_output", call_id: message.tool_call_id, output: textOf(message.content) }];
  if (message.role === "user")
    return [{ role: "user", content: responsesContent(message.content, out.notes.images !== false) }];
  const content = textOf(message.content);
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: "function_call",
    call_id: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
  }));
  // Thinking and what follows it travel together: the normaliser has dropped messages with nothing behind it.
  return [
    ...(takesReasoning(out) ? reasoningItems(message, out.deadReasoning) : []),
    ...(content.trim() === "" ? [] : [{ role: "assistant", content }]),
    ...calls,
  ];
}

/** Only sealed items can be sent back: the server keeps nothing, so a bare id would be unknown to it. */
function reasoningItems(message: Message, dead: ReadonlySet<string>): Body[] {
  const alive = sealedReasoning(message).filter((item) => !dead.has(item.encrypted_content));
  return alive.map(({ id, summary, encrypted_content }) => ({
    type: "reasoning",
    ...(typeof id === "string" ? { id } : {}),
    summary: Array.isArray(summary) ? summary : [],
    encrypted_content,
  }));
}

/** The sealed reasoning items that a message carries. */
export function sealedReasoning(message: Message): (Body & { encrypted_content: string })[] {
  const kept = [
    ...(message.reasoning_details ?? []),
    ...(Array.isArray(message.reasoning_items) ? message.reasoning_items : []),
  ];
  return kept.filter(isSealed);
}

function isSealed(item: unknown): item is Body & { encrypted_content: string } {
  if (typeof item !== "object" || item === null) return false;
  const { type, encrypted_content } = item as Body;
  return type === "reasoning" && typeof encrypted_content === "string" && encrypted_content !== "";
}

function responsesTools({ call, notes }: Outgoing): Body[] {
  if (call.toolChoice === "none" && notes.drop?.includes(`${PREFIX}tool_choice`)) return [];
  const serverSearch = call.isDeepSeek && notes.serverTools !== false && call.tools.length > 0;
  const local = call.tools.filter(
    ({ function: { name } }) => !notes.withoutTools?.includes(name) && !(serverSearch && name === "web_search"),
  );
  const tools = local.map((tool) => functionTool(tool, notes.schemas === "simple"));
  return serverSearch ? [...tools, { type: "web_search" }] : tools;
}

/** `strict` is on by default here, and refuses schemas that Chat takes: it is switched off where the tool says nothing. */
function functionTool({ function: spec }: ToolSchema, isSimple: boolean): Body {
  const { name, description, parameters, strict } = spec;
  return {
    type: "function",
    name,
    ...(description ? { description } : {}),
    parameters: isSimple ? simplifySchema(parameters) : withObjectRoot(parameters),
    strict: strict === true,
  };
}
