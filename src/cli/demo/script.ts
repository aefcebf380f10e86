/** The words of a scripted model: what it is asked, what it answers, and who answers next. */

import type { Message, TokenUsage } from "../../shared/messages";

/** How a reply goes wrong on the wire; `hang-before-headers` says nothing at all, the others strike in mid-reply. */
export type Fault = "cut" | "reset" | "hang" | "hang-before-headers" | "garbage";

/** A tool call that the scripted model makes. Arguments as text are sent as they are, valid or not. */
export interface ScriptedCall {
  name: string;
  args?: Record<string, unknown> | string;
  id?: string;
}

/** One answer of the scripted model. With `status` of 400 and more, or with `body`, it is no stream. */
export interface Reply {
  text?: string;
  reasoning?: string;
  calls?: ScriptedCall[];
  /** Characters in one delta (default 24). */
  chunk?: number;
  /** Milliseconds between two deltas (default 0). */
  everyMs?: number;
  /** Milliseconds before the headers. */
  delayMs?: number;
  /** Default: an estimate. `null`: the endpoint reports none. */
  usage?: TokenUsage | null;
  /** Default: `tool_calls` with calls, else `stop`. `length` and `content_filter` end a Responses stream as incomplete. */
  finish?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Sent instead of a reply: text as it is, anything else as JSON. */
  body?: unknown;
  fault?: Fault;
}

/** One request as the server or the provider received it. */
export interface ModelRequest {
  api: "chat" | "responses";
  model: string;
  /** The history in Chat shape, whichever API carried it; the system prompt is the first message. */
  messages: Message[];
  /** Names of the tools on offer, in order. */
  tools: string[];
  /** False where tools are sent but `tool_choice` forbids them. */
  mayCall: boolean;
  stream: boolean;
  body: Record<string, unknown>;
}

/** Replies in order, or a function that decides. */
export type Script = Reply[] | ((request: ModelRequest) => Reply | Promise<Reply>);

/** A function may pass a side request on to the main script by answering nothing. */
export type SideScript = Reply[] | ((request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>);

/** Walks through a script. Requests that cannot call tools go to `side` where there is one, and leave the main alone. */
export class ScriptPlayer {
  readonly #script: Script;
  readonly #side: SideScript | undefined;
  #next = 0;
  #nextSide = 0;

  constructor(script: Script, side?: SideScript) {
    this.#script = script;
    this.#side = side;
  }

  async answer(request: ModelRequest): Promise<Reply> {
    const aside = isSideRequest(request) ? await this.#sideReply(request) : undefined;
    if (aside) return aside;
    if (typeof this.#script === "function") return this.#script(request);
    this.#next += 1;
    return this.#script[this.#next - 1] ?? exhausted(this.#script.length);
  }

  /** The last reply of a side list is given again and again: how often a session is named is not the script's matter. */
  async #sideReply(request: ModelRequest): Promise<Reply | undefined> {
    if (typeof this.#side === "function") return this.#side(request);
    if (!this.#side || this.#side.length === 0) return undefined;
    const reply = this.#side[Math.min(this.#nextSide, this.#side.length - 1)];
    this.#nextSide += 1;
    return reply;
  }
}

/** True for requests beside the conversation: session names, summaries, questions about media. */
export function isSideRequest(request: ModelRequest): boolean {
  return request.tools.length === 0 || !request.mayCall;
}

/** The ids and argument texts of a reply's calls. Ids that the script leaves out differ from request to request. */
export function callsOf(reply: Reply, serial: number): { id: string; name: string; args: string }[] {
  return (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${serial}_${index + 1}`,
    name: call.name,
    args: typeof call.args === "string" ? call.args : JSON.stringify(call.args ?? {}),
  }));
}

/** The text in pieces of the reply's `chunk` characters; a surrogate pair is never cut. */
export function piecesOf(text: string, size = 24): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(""));
  return pieces;
}

/** What the reply costs: as scripted, else a rough estimate at four characters a token. */
export function usageOf(reply: Reply, request: ModelRequest): TokenUsage | null {
  if (reply.usage !== undefined) return reply.usage;
  const calls = callsOf(reply, 0).map((call) => call.name + call.args);
  const output = [reply.text ?? "", reply.reasoning ?? "", ...calls].join("");
  return { input: quarter(JSON.stringify(request.body).length), output: quarter(output.length) };
}

function quarter(length: number): number {
  return Math.max(1, Math.ceil(length / 4));
}

function exhausted(count: number): Reply {
  const message = `The script has ${count} replies and was asked for one more. Add a reply to the script.`;
  return { status: 400, body: { error: { message, type: "script_exhausted", code: "script_exhausted" } } };
}
