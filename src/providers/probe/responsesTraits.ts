/** The ways of an endpoint that a stream of the Responses API shows. */

import { type Json, listOf, recordOf, type Tell } from "./TraitList";

const ENDS = /^response\.(completed|incomplete|failed)$/;

export function responsesTraits(events: Json[], tell: Tell): void {
  const types = events.map((event) => String(event.type ?? ""));
  const last = events.find((event) => ENDS.test(String(event.type)));
  const final = recordOf(last?.response);
  if (!last) tell("stream-end", "no response.completed");
  tellEvents(events, types, tell);
  tellItems(events, final, tell);
  if (final.status === "incomplete") tellCut(String(recordOf(final.incomplete_details).reason ?? ""), tell);
  if (last && !final.usage) tell("usage", "none");
}

function tellEvents(events: Json[], types: string[], tell: Tell): void {
  const about = (evidence: string) => tell("responses-events", evidence);
  const has = (type: string) => types.includes(type);
  if (events.some((event) => !event.type)) about("events without a type");
  if (events.some((event) => /\.delta$/.test(String(event.type)) && event.output_index === undefined))
    about("deltas without an output_index");
  if (events.some((event) => /\.delta$/.test(String(event.type)) && !event.item_id)) about("deltas without an item id");
  if (has("response.output_text.delta") && !has("response.output_text.done")) about("text without its done event");
  if (has("response.function_call_arguments.done") && !has("response.function_call_arguments.delta"))
    about("arguments in the done event alone");
  if (has("response.function_call_arguments.delta") && !has("response.output_item.done"))
    about("calls without their done event");
}

/** Items that only the final output lists, and thinking among them. */
function tellItems(events: Json[], final: Json, tell: Tell): void {
  const told = events.filter((event) => /^response\.output_item\./.test(String(event.type)));
  const ids = new Set(told.map((event) => recordOf(event.item).id));
  const calls = listOf(final.output).filter((item) => item.type === "function_call");
  if (calls.some((item) => !ids.has(item.id))) tell("responses-events", "items in the final output alone");
  const isThinking = (item: Json) => item.type === "reasoning";
  const thoughts = [...told.map((event) => recordOf(event.item)), ...listOf(final.output)].filter(isThinking);
  if (thoughts.length > 0) tell("responses-state", "reasoning items that go back with what follows them");
}

function tellCut(reason: string, tell: Tell): void {
  if (reason === "content_filter") tell("finish-mismatch", "cut by the content filter");
  else tell("truncation", reason || "incomplete");
}
