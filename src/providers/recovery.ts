/** What is done about a refusal: a lesson for this endpoint, a change for this request, a wait, or nothing. */

import type { Verdict } from "./classify";
import type { EndpointNotes } from "./endpointMemory";
import { fewerTools, otherForm, simplerTools, withoutImages, withoutLargeResults, withoutReasoning } from "./mending";
import type { Body } from "./modelCall";
import { largestOutput, smallerOutput } from "./outputBudget";
import type { Plan, Sent } from "./plan";
import { refusedField } from "./refusedField";

/** Ways on from a refusal, best first; an empty list where the request cannot be mended. */
export function plansFor(verdict: Verdict, sent: Sent): Plan[] {
  switch (verdict.errorType) {
    case "endpoint_unsupported":
      return otherApi(sent);
    case "malformed_response":
      // Front ends answer unknown paths with their start page and a friendly status.
      return sent.api === "responses" && verdict.words.isHtml ? otherApi(sent) : [];
    case "unsupported_param":
      return [
        ...fewerTools(verdict, sent),
        ...tooMuchOutput(verdict, sent),
        ...chatForThisOnce(verdict, sent),
        ...withoutField(verdict, sent),
      ];
    case "capability":
      return withoutImages(verdict, sent);
    case "tool_schema":
      return [...fewerTools(verdict, sent), ...simplerTools(verdict, sent)];
    case "history_invalid":
      return [...withoutReasoning(sent), ...otherForm(verdict, sent)];
    case "payload_too_large":
      return withoutLargeResults(sent);
    case "context_overflow":
      return smallerBudget(verdict, sent);
    case "output_rejected":
      return [resample(verdict, "1"), resample(verdict, "2")];
    default:
      return [];
  }
}

function otherApi({ api, mayFallBack, tweaks }: Sent): Plan[] {
  if (!mayFallBack || tweaks.api) return [];
  // What was learnt a while ago no longer holds.
  if (api === "chat")
    return [
      {
        key: "responses",
        recover: "use Responses for this model",
        fallback: false,
        learn: { api: undefined },
        tweaks: { api: "responses" },
      },
    ];
  return [
    {
      key: "chat",
      recover: "use Chat Completions for this model",
      fallback: "cache",
      learn: { api: "chat" },
      tweaks: { api: "chat" },
    },
  ];
}

/** Another API takes this request; what is learnt spares the next one the refusal. */
function chatForThisOnce(verdict: Verdict, sent: Sent): Plan[] {
  if (sent.api !== "responses" || !sent.mayFallBack) return [];
  const field = refusedField(verdict.words, sent.body);
  const learn = field ? { drop: [`responses:${field}`] } : refusedKind(verdict.words.message, sent.body);
  return [
    { key: "chat", recover: "use Chat Completions for this request", fallback: "once", learn, tweaks: { api: "chat" } },
  ];
}

/** A kind of tool or of item that the endpoint does not know. */
function refusedKind(message: string, body: Body): EndpointNotes {
  const speaksOfTools = /\btools?\b|web_search/i.test(message);
  if (speaksOfTools && hasType(body.tools, (type) => type !== "function")) return { serverTools: false };
  return hasType(body.input, (type) => type === "reasoning") ? { reasoningItems: false } : {};
}

function hasType(list: unknown, test: (type: unknown) => boolean): boolean {
  return Array.isArray(list) && list.some((entry: Body) => entry.type !== undefined && test(entry.type));
}

function withoutField(verdict: Verdict, sent: Sent): Plan[] {
  const field = refusedField(verdict.words, sent.body);
  if (!field) return withoutExtras(sent);
  const name = sent.api === "responses" ? `responses:${field}` : field;
  const other = renamed(field, sent.notes);
  const drop: Plan = { key: `drop ${name}`, recover: `send no ${field}`, fallback: false, learn: { drop: [name] } };
  return other
    ? [
        {
          key: `rename ${field}`,
          recover: `send ${other} instead of ${field}`,
          fallback: false,
          learn: { outputKey: other },
        },
        drop,
      ]
    : [drop];
}

/** The output limit has two names; where both were refused it is left out. */
function renamed(field: string, notes: EndpointNotes): EndpointNotes["outputKey"] {
  if (notes.outputKey !== undefined) return undefined;
  if (field === "max_tokens") return "max_completion_tokens";
  return field === "max_completion_tokens" ? "max_tokens" : undefined;
}

/** No field was named: everything that can be spared goes at once, for this endpoint takes less than others. */
function withoutExtras({ api, body }: Sent): Plan[] {
  const spare = ["stream_options", "temperature", "reasoning_effort", "reasoning", "include", "prompt_cache_key"];
  const drop = spare.filter((name) => name in body).map((name) => (api === "responses" ? `responses:${name}` : name));
  return drop.length > 0
    ? [{ key: "bare", recover: "send only what is needed", fallback: false, learn: { drop } }]
    : [];
}

function tooMuchOutput({ words }: Verdict, sent: Sent): Plan[] {
  const asked = sent.tweaks.maxTokens ?? sent.call.maxTokens;
  const most = /max|output|completion/i.test(words.message) ? largestOutput(words.message) : undefined;
  if (asked === undefined || most === undefined || most >= asked) return [];
  return [
    {
      key: "output limit",
      recover: `ask for ${most} output tokens at most`,
      fallback: false,
      tweaks: { maxTokens: most },
    },
  ];
}

function smallerBudget({ words }: Verdict, sent: Sent): Plan[] {
  const asked = sent.tweaks.maxTokens ?? sent.call.maxTokens;
  const fits = smallerOutput(words.message, asked);
  if (fits === undefined) return [];
  const plan = (key: string, maxTokens: number): Plan => ({
    key,
    recover: `lower the output limit to ${maxTokens} tokens, which is what is left`,
    fallback: false,
    tweaks: { maxTokens },
  });
  return [plan("smaller output", fits), plan("half the output", Math.max(256, fits >> 1))];
}

function resample({ words }: Verdict, count: string): Plan {
  const remark = `The last reply was rejected: ${words.message.slice(0, 400)} Call tools with valid JSON arguments, or answer in text.`;
  return { key: `resample ${count}`, recover: "ask the model once more", fallback: false, tweaks: { remark } };
}
