/** The ways of an endpoint that a Chat Completions stream shows. */

import { type Json, listOf, recordOf, type Tell } from "./TraitList";

interface ChatReply {
  chunks: Json[];
  /** `[DONE]` came. */
  isMarked: boolean;
  tell: Tell;
}

export function chatTraits({ chunks, isMarked, tell }: ChatReply): void {
  const choices = chunks.flatMap((chunk) => listOf(chunk.choices));
  const deltas = choices.map((choice) => recordOf(choice.delta ?? choice.message));
  const finish = choices.map((choice) => choice.finish_reason).filter((reason) => typeof reason === "string");
  const calls = deltas.flatMap((delta) => listOf(delta.tool_calls));
  tellShape(chunks, choices, tell);
  tellCalls(calls, tell);
  tellThinking(deltas, tell);
  tellUsage(chunks, choices, tell);
  tellEnd({ finish: finish.at(-1) as string | undefined, isMarked, hasCalls: calls.length > 0, deltas }, tell);
}

function tellShape(chunks: Json[], choices: Json[], tell: Tell): void {
  const about = (evidence: string) => tell("chunk-shape", evidence);
  for (const [at, chunk] of chunks.entries()) {
    if (!Array.isArray(chunk.choices)) about(chunk.error ? "an error instead of choices" : "chunks without choices");
    else if (chunk.choices.length === 0 && !chunk.usage)
      about(at === 0 ? "a first chunk without choices" : "empty choices");
  }
  let text = "";
  for (const choice of choices) {
    const delta = recordOf(choice.delta);
    if (!choice.delta) about(choice.message ? "whole messages in chunks" : "choices without a delta");
    if (choice.delta && choice.message) about("whole messages beside deltas");
    if (Array.isArray(delta.content)) about("content in parts");
    if (delta.role === "" || (delta.role !== undefined && delta.role !== null && delta.role !== "assistant"))
      about(`the role ${JSON.stringify(delta.role)}`);
    if (choice.finish_reason && listOf(delta.tool_calls).length > 0)
      tell("tool-arguments", "pieces of a call in the last chunk");
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length === 0) about("empty lists of calls");
    const piece = typeof delta.content === "string" ? delta.content : "";
    if (text.length >= 8 && piece.length > text.length && piece.startsWith(text)) about("each chunk repeats the whole");
    text = piece.startsWith(text) && text !== "" ? piece : text + piece;
  }
}

/** Calls as they are put together: what opens one, what names it, what its arguments are made of. */
function tellCalls(deltas: Json[], tell: Tell): void {
  const ids = new Map<unknown, string>();
  const names = new Map<unknown, string>();
  const args = new Map<unknown, string>();
  if (deltas.length > 0 && typeof deltas[0]?.index === "number" && deltas[0].index !== 0)
    tell("tool-index", `the first index is ${deltas[0].index}`);
  for (const delta of deltas) {
    const { index, id } = delta;
    const { name, arguments: piece } = recordOf(delta.function);
    if (typeof index !== "number") tell("tool-index", "calls without an index");
    const isNew = !ids.has(index);
    const held = ids.get(index) ?? "";
    if (isText(id) && held !== "" && held !== id) tell("tool-index", "another id under an index in use");
    if (isText(id) && [...ids].some(([at, known]) => known === id && at !== index))
      tell(name ? "tool-identity" : "tool-index", name ? "the same id for two calls" : "one call under two indexes");
    if (isNew && !isText(id) && !isText(name)) tell("tool-index", "pieces under an index that was not opened");
    else if (isNew && !isText(id))
      tell("tool-identity", `a call with ${id === undefined ? "no id" : `the id ${JSON.stringify(id)}`}`);
    if (!isNew && (id === "" || id === null || name === "" || name === null))
      tell("tool-identity", "empty ids or names in later pieces");
    if (!isNew && isText(name) && isText(names.get(index)))
      tell("tool-identity", name === names.get(index) ? "the name again in later pieces" : "a name in pieces");
    tellArguments({ piece, held: args.get(index), isNew }, tell);
    if (isNew || isText(id)) ids.set(index, isText(id) ? id : held);
    if (isText(name)) names.set(index, name);
    args.set(
      index,
      `${isText(id) && held !== id ? "" : (args.get(index) ?? "")}${typeof piece === "string" ? piece : ""}`,
    );
  }
  for (const whole of args.values()) {
    if (whole === "") tell("tool-arguments", "no arguments at all");
    if (whole !== "" && !isJson(whole)) tell("truncation", `arguments that break off: ${whole.slice(-20)}`);
  }
}

function tellArguments(
  { piece, held = "", isNew }: { piece: unknown; held: string | undefined; isNew: boolean },
  tell: Tell,
): void {
  if (typeof piece === "object" && piece !== null) tell("tool-arguments", "arguments as an object");
  else if (piece === null) tell("tool-arguments", "null for arguments");
  else if (!isNew && typeof piece === "string" && piece !== "" && isJson(held))
    tell("tool-arguments", "arguments sent twice");
  else if (isNew && piece === "{}") tell("tool-arguments", "an empty object before the arguments");
}

function tellThinking(deltas: Json[], tell: Tell): void {
  const fields = ["reasoning_content", "reasoning", "reasoning_text", "reasoning_details"];
  const found = fields.filter((field) => deltas.some((delta) => delta[field] && delta[field] !== ""));
  if (found.length > 0) tell("reasoning-in", found.join(" and "));
  const text = deltas.map(({ content }) => (typeof content === "string" ? content : "")).join("");
  const isTagged = /^\s*<(think|thinking|thought|reasoning)>/i.test(text) || /<\/(think|thinking|thought)>/i.test(text);
  if (isTagged) tell("reasoning-in", "tags in the text");
  if (deltas.some((delta) => delta.reasoning_details)) tell("reasoning-echo", "reasoning_details");
  const signed = deltas.flatMap((delta) => listOf(delta.tool_calls)).some((call) => call.extra_content);
  if (signed) tell("reasoning-echo", "a signature with the call");
  if (/<tool_call>|<function=|<invoke |^\s*\{\s*"name"\s*:/m.test(text))
    tell("text-tool-call", text.trim().slice(0, 60));
}

function tellUsage(chunks: Json[], choices: Json[], tell: Tell): void {
  const reports = chunks.map((chunk) => chunk.usage).filter((usage) => usage !== undefined && usage !== null);
  if (choices.some((choice) => choice.usage)) tell("usage", "inside a choice");
  if (reports.length > 1) tell("usage", `in ${reports.length} chunks`);
  const last = recordOf(reports.at(-1));
  if ("prompt_cache_hit_tokens" in last || "cached_tokens" in last) tell("usage", "its own name for cached tokens");
  const isApart = chunks.some((chunk) => chunk.usage && Array.isArray(chunk.choices) && chunk.choices.length === 0);
  if (isApart) tell("usage", "in a chunk of its own");
  if (reports.length === 0) tell("usage", "none");
}

const KNOWN_ENDS = new Set(["stop", "tool_calls", "length", "content_filter", "function_call"]);

interface End {
  finish: string | undefined;
  isMarked: boolean;
  hasCalls: boolean;
  deltas: Json[];
}

function tellEnd({ finish, isMarked, hasCalls, deltas }: End, tell: Tell): void {
  if (finish === undefined) tell("stream-end", isMarked ? "no finish reason" : "neither a finish reason nor [DONE]");
  else if (!isMarked) tell("stream-end", "no [DONE]");
  if (finish === "length") tell("truncation", "the output limit");
  const hasText = deltas.some((delta) => delta.content && delta.content !== "");
  if (finish !== undefined && !hasText && !hasCalls) tell("stream-end", "a reply with nothing in it");
  const isWrong =
    finish !== undefined &&
    (!KNOWN_ENDS.has(finish) ||
      finish === "content_filter" ||
      (finish === "stop" && hasCalls) ||
      (/call/.test(finish) && !hasCalls));
  if (isWrong) tell("finish-mismatch", `finish_reason ${finish} ${hasCalls ? "with" : "without"} calls`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
