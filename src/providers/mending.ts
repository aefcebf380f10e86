/** Ways to mend what a request carries: its pictures, its tools, its history, its size. */

import type { Verdict } from "./classify";
import type { EndpointNotes } from "./endpointMemory";
import { evictionLimit } from "./eviction";
import type { Body } from "./modelCall";
import type { Plan, Sent } from "./plan";
import { sealedReasoning } from "./responsesRequest";
import { hasMedia } from "./wireParts";

export function withoutImages({ words }: Verdict, { call, notes }: Sent): Plan[] {
  if (notes.images === false || !hasMedia(call.messages) || /\btools?\b|function/i.test(words.message)) return [];
  return [{ key: "no images", recover: "replace images by a text note", fallback: false, learn: { images: false } }];
}

/** Schemas in plain words first; a tool that is refused even then is left out, not the session. */
export function simplerTools({ words }: Verdict, { call, notes, body }: Sent): Plan[] {
  const plans: Plan[] = [];
  if (notes.schemas !== "simple")
    plans.push({
      key: "simple schemas",
      recover: "send simplified tool schemas",
      fallback: false,
      learn: { schemas: "simple" },
    });
  const place = `${words.param} ${words.message}`;
  const position = (/declarations?\W{0,2}(\d+)/.exec(place) ?? /tools?\W{0,2}(\d+)/.exec(place))?.[1];
  const names = Array.isArray(body.tools) ? body.tools.map(nameOf) : [];
  const name =
    call.tools.map((tool) => tool.function.name).find((tool) => words.message.includes(tool)) ??
    names[Number(position ?? Number.NaN)];
  if (name)
    plans.push({
      key: `without ${name}`,
      recover: `leave out the tool ${name}, whose schema this endpoint refuses`,
      fallback: false,
      learn: { withoutTools: [name] },
    });
  return plans;
}

function nameOf(tool: Body): string {
  const spec = tool.function as Body | undefined;
  return String(spec?.name ?? tool.name ?? "");
}

/** The server cannot open (or find) reasoning of an earlier reply: it goes, and stays away. Never a matter for Chat. */
export function withoutReasoning({ api, call, deadReasoning }: Sent): Plan[] {
  if (api !== "responses") return [];
  const dead = call.messages
    .flatMap(sealedReasoning)
    .map((item) => item.encrypted_content)
    .filter((seal) => !deadReasoning.has(seal));
  return dead.length > 0
    ? [{ key: "no reasoning", recover: "drop the reasoning of earlier replies", fallback: false, dead }]
    : [];
}

/** The history is in order; what is refused is how it is written. */
export function otherForm({ words }: Verdict, { notes, body }: Sent): Plan[] {
  const text = `${words.message} ${words.type} ${words.param}`;
  const plans: Plan[] = [];
  if (/tool_?call|tool_?use|\bids?\b/i.test(text) && notes.ids !== "nine") {
    plans.push({
      key: "ids",
      recover: "map call ids to nine letters and digits",
      fallback: false,
      learn: { ids: "nine" },
    });
  }
  if (/content/i.test(words.message) && notes.emptyContent !== "null") {
    plans.push({
      key: "null",
      recover: "send null instead of empty content",
      fallback: false,
      learn: { emptyContent: "null" },
    });
  }
  if (/reasoning|thinking/i.test(text)) plans.push(...otherEcho(words.message, notes, body));
  return plans;
}

/** Thinking is missed by one endpoint and refused by the next. */
function otherEcho(message: string, notes: EndpointNotes, body: Body): Plan[] {
  const isMissed = /miss|must|requir|need|lack|should|expect|absent/i.test(message);
  if (isMissed && notes.echo !== "always") {
    return [
      { key: "echo", recover: "send the thinking of every call back", fallback: false, learn: { echo: "always" } },
    ];
  }
  const isSent = JSON.stringify(body.messages ?? []).includes('"reasoning_content"');
  return isMissed || !isSent
    ? []
    : [
        {
          key: "no echo",
          recover: "send no thinking back",
          fallback: false,
          learn: { drop: ["messages.reasoning_content"] },
        },
      ];
}

export function withoutLargeResults({ call, tweaks }: Sent): Plan[] {
  const limit = evictionLimit(call.messages, tweaks.evictAbove);
  return limit === undefined
    ? []
    : [
        {
          key: `evict ${limit}`,
          recover: "compact: cut the largest tool results",
          fallback: false,
          tweaks: { evictAbove: limit },
        },
      ];
}
