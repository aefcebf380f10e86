/** Puts tool calls together from their fragments, whichever way a server addresses them. */

import type { ToolCall } from "../shared/messages";
import { newCallId } from "./callIds";
import { isWholeObject, objectsIn } from "./jsonShape";

type Json = Record<string, unknown>;

interface OpenCall {
  id: string;
  name: string;
  args: string;
  /** What came after the arguments were whole: the same text again, or another call's. */
  more: string;
  /** Unknown keys, kept for endpoints that want them back. */
  extra: Json;
  functionExtra: Json;
}

/**
 * A fragment belongs to the call of its id, else of its index, else to the call opened last. An index is a label: it may
 * start anywhere, drift, or be the same for all.
 */
export class CallCollector {
  readonly #isTool: (name: string) => boolean;
  #calls: OpenCall[] = [];
  #byIndex = new Map<unknown, OpenCall>();

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  get isEmpty(): boolean {
    return this.#calls.every((call) => call.name === "");
  }

  /** One entry of `delta.tool_calls`. */
  add(fragment: unknown): void {
    if (typeof fragment !== "object" || fragment === null) return;
    const { index, id, type: _type, function: spec, ...extra } = fragment as Json;
    const { name, arguments: args, ...functionExtra } = record(spec);
    const piece = { index: index ?? undefined, id: text(id), name: text(name), args };
    const call = this.#find(piece) ?? this.#open(piece);
    call.id ||= piece.id;
    this.#joinName(call, piece.name);
    addArguments(call, args);
    Object.assign(call.extra, extra);
    Object.assign(call.functionExtra, functionExtra);
  }

  /** A late message that carries the whole list replaces what was collected. */
  replace(fragments: unknown[]): void {
    if (fragments.length === 0) return;
    this.#calls = [];
    this.#byIndex = new Map();
    for (const fragment of fragments) this.add(fragment);
  }

  /** The calls in the order in which they opened, every one with an id that is its own. Nameless ones are left out. */
  finish(takenIds: ReadonlySet<string>): ToolCall[] {
    const taken = new Set(takenIds);
    return this.#calls
      .filter((call) => call.name !== "")
      .flatMap(splitTwins)
      .map((call) => {
        const id = call.id === "" || taken.has(call.id) ? newCallId(taken) : call.id;
        taken.add(id);
        return {
          ...call.extra,
          id,
          type: "function",
          function: {
            ...call.functionExtra,
            name: call.name,
            arguments: /^(null)?$/.test(call.args.trim()) ? "{}" : call.args,
          },
        };
      });
  }

  #find(piece: { index: unknown; id: string; name: string; args: unknown }): OpenCall | undefined {
    const { index, id, name, args } = piece;
    const sameId = id === "" ? undefined : this.#calls.findLast((call) => call.id === id);
    // Ids that restart may be the same for two calls of one reply: then the name tells them apart.
    if (sameId && (name === "" || name === sameId.name || !this.#isTool(sameId.name))) return sameId;
    const labelled = index === undefined ? undefined : this.#byIndex.get(index);
    // A new id opens a call even under an index in use; a fragment without a name cannot open one that is in progress.
    if (id !== "") return labelled && (labelled.id === "" || name === "") ? labelled : undefined;
    if (name === "") return labelled ?? this.#calls.at(-1);
    if (index !== undefined && !labelled) return undefined;
    const candidate = labelled ?? this.#calls.at(-1);
    return candidate && this.#continues(candidate, name, args) ? candidate : undefined;
  }

  /** A name without an id goes on with a call, unless that call is whole and something else begins. */
  #continues(call: OpenCall, name: string, args: unknown): boolean {
    if (call.name !== name && this.#isTool(call.name)) return false;
    const isNewPiece = text(args) !== "" && text(args) !== call.args;
    return !(isWholeObject(call.args) && isNewPiece);
  }

  #open(piece: { index: unknown; id: string }): OpenCall {
    const call: OpenCall = { id: piece.id, name: "", args: "", more: "", extra: {}, functionExtra: {} };
    this.#calls.push(call);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    return call;
  }

  /** Some resend the whole name, some cut it in two; the table of tools settles which. */
  #joinName(call: OpenCall, piece: string): void {
    if (piece === "" || piece === call.name || this.#isTool(call.name)) return;
    call.name = piece.startsWith(call.name) ? piece : call.name + piece;
  }
}

function addArguments(call: OpenCall, args: unknown): void {
  if (args === null || args === undefined || args === "") return;
  const piece = typeof args === "string" ? args : JSON.stringify(args);
  if (piece === call.args && isWholeObject(piece)) return;
  if (call.more !== "" || (isWholeObject(call.args) && piece.trim() !== "")) call.more += piece;
  else if (call.args.startsWith("{") && piece.startsWith(call.args)) call.args = piece;
  else call.args += piece;
}

/** Empty objects beside others are placeholders; the same again is dropped; another object is a call of its own. */
function splitTwins(call: OpenCall): OpenCall[] {
  const objects = objectsIn(call.args + call.more);
  if (objects.length === 1) return [{ ...call, args: call.args + call.more }];
  const filled = objects.filter((text) => !isEmptyObject(text));
  const forms = filled.map(canonical);
  const own = filled.filter((_, index) => forms.indexOf(forms[index] ?? "") === index);
  return (own.length > 0 ? own : ["{}"]).map((args, index) =>
    index === 0 ? { ...call, args } : { ...call, id: "", args },
  );
}

function canonical(args: string): string {
  return isWholeObject(args) ? JSON.stringify(JSON.parse(args)) : args;
}

function isEmptyObject(args: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(args);
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}
