/** Function calls of a Responses stream: items, argument deltas and final copies meet by id, position, or being open. */

import type { ToolCall } from "../shared/messages";
import { newCallId } from "./callIds";
import { isWholeObject } from "./jsonShape";
import type { TextCall } from "./textCalls";

type Json = Record<string, unknown>;

interface Open {
  itemId: string;
  callId: string;
  index: number | undefined;
  name: string;
  /** Arguments in every version that was told; the deltas are the first. */
  streamed: string;
  versions: string[];
  /** The event that ends its arguments came; those without an address belong to another call from then on. */
  isFilled: boolean;
  isDone: boolean;
}

export class ResponseCalls {
  readonly #isTool: (name: string) => boolean;
  readonly #calls: Open[] = [];

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  /** An item that was added, is done, or stands in the final output. Items of other types are passed over. */
  item(item: Json, event: Json, isDone: boolean): void {
    if (item.type !== "function_call") return;
    const place = placeOf(event, item);
    const call = this.#find(place) ?? this.#open(place);
    call.itemId ||= place.itemId;
    call.callId ||= place.callId;
    if (call.name === "" || (!this.#isTool(call.name) && this.#isTool(text(item.name)))) call.name = text(item.name);
    if (item.arguments !== undefined && item.arguments !== null) call.versions.push(asText(item.arguments));
    call.isDone ||= isDone;
  }

  /** A delta of arguments, or the `.done` event that repeats them whole. */
  arguments(event: Json, isDone: boolean): void {
    const place = placeOf(event, event);
    const call = this.#find(place) ?? this.#calls.find((made) => !made.isDone && !made.isFilled) ?? this.#open(place);
    call.isFilled ||= isDone;
    if (isDone) call.versions.push(asText(event.arguments));
    else call.streamed += asText(event.delta);
    if (isDone && call.name === "") call.name = text(event.name);
  }

  addFromText(found: TextCall): void {
    const call = this.#open({ itemId: "", callId: "", index: undefined });
    call.name = found.function.name;
    call.streamed = found.function.arguments;
  }

  finish(takenIds: ReadonlySet<string>): ToolCall[] {
    const taken = new Set(takenIds);
    return this.#calls
      .filter((call) => call.name !== "")
      .map((call) => {
        const id = call.callId === "" || taken.has(call.callId) ? newCallId(taken) : call.callId;
        taken.add(id);
        return { id, type: "function", function: { name: call.name, arguments: bestArguments(call) } };
      });
  }

  #find({ itemId, callId, index }: Place): Open | undefined {
    const byId = this.#calls.find(
      (call) => (callId !== "" && call.callId === callId) || (itemId !== "" && call.itemId === itemId),
    );
    if (byId) return byId;
    const atIndex = index === undefined ? undefined : this.#calls.find((call) => call.index === index);
    // Two different calls may claim one position: then the ids have the last word.
    return atIndex && (callId === "" || atIndex.callId === "") && (itemId === "" || atIndex.itemId === "")
      ? atIndex
      : undefined;
  }

  #open(place: Place): Open {
    const call: Open = { ...place, name: "", streamed: "", versions: [], isFilled: false, isDone: false };
    this.#calls.push(call);
    return call;
  }
}

interface Place {
  itemId: string;
  callId: string;
  index: number | undefined;
}

function placeOf(event: Json, item: Json): Place {
  return {
    itemId: text(event.item_id) || (item.type === "function_call" ? text(item.id) : ""),
    callId: text(item.call_id) || text(event.call_id),
    index: typeof event.output_index === "number" ? event.output_index : undefined,
  };
}

/** The longest version that is whole; where none is, the longest: it was cut off. */
function bestArguments(call: Open): string {
  const versions = [call.streamed, ...call.versions].sort((a, b) => b.length - a.length);
  return versions.find(isWholeObject) ?? (versions[0] || "{}");
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
