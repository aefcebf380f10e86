/** Ways to mend what a request carries: its pictures, its tools, its history, its size. */

import type { Verdict } from "./classify";
import type { EndpointNotes } from "./endpointMemory";
import { NO_SYSTEM } from "./errorPatterns";
import { evictionLimit } from "./eviction";
import type { Body } from "./modelCall";
import type { Plan, Sent } from "./plan";
import { sealedReasoning } from "./responsesRequest";
import { hasMedia } from "./wireParts";

export function withoutImages({ words }: Verdict, { call, notes }: Sent): Plan[] {
  if (notes.images === false || !hasMedia(call.messages) || /\btools?\b|function/i.test(words.message)) return [];
  return [lesson("no images", "replace images by a text note", { images: false })];
}

/** Schemas in plain words first; a tool that is refused even then is left out, not the session. */
export function simplerTools({ words }: Verdict, { call, notes, body }: Sent): Plan[] {
  const name = refusedTool(
    `${words.param} ${words.message}`,
    call.tools.map((tool) => tool.function.name),
    body,
  );
  return [
    ...(notes.schemas === "simple" ? [] : [lesson("simple", "send simplified tool schemas", { schemas: "simple" })]),
    ...(name
      ? [
          lesson(`without ${name}`, `leave out the tool ${name}, whose schema this endpoint refuses`, {
            withoutTools: [name],
          }),
        ]
      : []),
  ];
}

const MOST_TOOLS =
  /(?:at most|maximum(?: length| number)?(?: of| is|:)?|up to|limit(?: of| is|:)?|no more than|<=)\D{0,12}(\d+)/i;

/** A number of tools that is too large: those at the end stay away. */
export function fewerTools({ words }: Verdict, { call, notes }: Sent): Plan[] {
  const most = Number(MOST_TOOLS.exec(words.message)?.[1] ?? Number.POSITIVE_INFINITY);
  const names = call.tools.map(({ function: { name } }) => name).filter((name) => !notes.withoutTools?.includes(name));
  if (!/\b(tools?|functions?)\b/i.test(`${words.param} ${words.message}`) || most < 1 || most >= names.length)
    return [];
  return [lesson(`${most} tools`, `send ${most} tools at most`, { withoutTools: names.slice(most) })];
}

/** By its name, else by its position in the list that was sent. */
function refusedTool(place: string, names: string[], body: Body): string | undefined {
  const named = names.find((name) => place.includes(name));
  const position = (/declarations?\W{0,2}(\d+)/.exec(place) ?? /tools?\W{0,2}(\d+)/.exec(place))?.[1];
  if (named || position === undefined || !Array.isArray(body.tools)) return named;
  const tool = body.tools[Number(position)] as Body | undefined;
  const name = (tool?.function as Body | undefined)?.name ?? tool?.name;
  return typeof name === "string" ? name : undefined;
}

/** The server cannot open (or find) reasoning of an earlier reply: it goes, and stays away. Never a matter for Chat. */
export function withoutReasoning({ api, call, deadReasoning }: Sent): Plan[] {
  if (api !== "responses") return [];
  const seals = call.messages.flatMap(sealedReasoning).map((item) => item.encrypted_content);
  const dead = seals.filter((seal) => !deadReasoning.has(seal));
  return dead.length > 0 ? [{ ...lesson("no reasoning", "drop the reasoning of earlier replies", {}), dead }] : [];
}

/** The history is in order; what is refused is how it is written. */
export function otherForm({ words }: Verdict, { notes, body }: Sent): Plan[] {
  const text = `${words.message} ${words.type} ${words.param}`;
  if (NO_SYSTEM.test(text) && notes.system === undefined) {
    return [lesson("system", "put the system prompt into the first user message", { system: "user" })];
  }
  if (/reasoning|thinking/i.test(text)) return otherEcho(words.message, notes, body);
  const roles = rolesOf(body);
  if (/\bname\b/i.test(text) && roles.includes("tool") && notes.resultNames === undefined) {
    return [lesson("names", "name the tool of each result", { resultNames: true })];
  }
  if (
    /\broles?\b|alternat|\border\b/i.test(text) &&
    /tool,user/.test(roles.join()) &&
    notes.afterResults === undefined
  ) {
    return [lesson("bridge", "put a word between results and what the user says", { afterResults: "assistant" })];
  }
  const speaksOfIds = /tool_?call|tool_?use|\bids?\b/i.test(text) && notes.ids !== "nine";
  const speaksOfContent = /content/i.test(words.message) && notes.emptyContent !== "null";
  return [
    ...(speaksOfIds ? [lesson("ids", "map call ids to nine letters and digits", { ids: "nine" })] : []),
    ...(speaksOfContent ? [lesson("null", "send null instead of empty content", { emptyContent: "null" })] : []),
  ];
}

function rolesOf({ messages }: Body): unknown[] {
  return Array.isArray(messages) ? messages.map((message: Body) => message.role) : [];
}

/** Thinking is missed by one endpoint and refused by the next. */
function otherEcho(message: string, notes: EndpointNotes, body: Body): Plan[] {
  if (/miss|must|requir|need|lack|should|expect|absent/i.test(message)) {
    if (notes.echo === "filled") return [];
    const echo = notes.echo === "always" ? "filled" : "always";
    return [lesson(`echo ${echo}`, "send the thinking of every call back", { echo })];
  }
  const isSent = JSON.stringify(body.messages ?? []).includes('"reasoning_content"');
  return isSent ? [lesson("no echo", "send no thinking back", { drop: ["messages.reasoning_content"] })] : [];
}

export function withoutLargeResults({ call, tweaks }: Sent): Plan[] {
  const limit = evictionLimit(call.messages, tweaks.evictAbove);
  if (limit === undefined) return [];
  return [{ ...lesson(`evict ${limit}`, "compact: cut the largest tool results", {}), tweaks: { evictAbove: limit } }];
}

function lesson(key: string, recover: string, learn: EndpointNotes): Plan {
  return { key, recover, fallback: false, learn };
}
