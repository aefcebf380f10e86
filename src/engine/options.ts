/** What a `TurnEngine` is made of (guide 6.2), and the check that says which option is wrong. */

import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { Approver, ProviderClient } from "../shared/contracts";
import type { EngineHook } from "../shared/EngineHook";
import { ZqError } from "../shared/errors";
import { isLang, type Lang, PROMPT_LANGS } from "../shared/lang";
import type { Message } from "../shared/messages";
import type { ToolRegistry } from "../tools/ToolRegistry";

/** Options of `new TurnEngine` (guide 6.2). */
export interface TurnEngineOpts {
  provider: ProviderClient;
  registry: ToolRegistry;
  permissions: PermissionEngine;
  /** Model identifier; an empty one is reported by `run()`. */
  model: string;
  /** The system prompt: the first message, unless `messages` begins with one. */
  instructions: string;
  /** Asks for a session's name; default by `lang`. */
  genSessionNamePrompt?: string | undefined;
  /** Language of session names and summaries; default `zh`. */
  lang?: Lang | undefined;
  /** Iterations of one turn at most; default 800. */
  maxIterations?: number | undefined;
  /** After the limit one more answer without tools; default false. */
  finalizeOnMaxIterations?: boolean | undefined;
  /** Passed to the provider. */
  reasoningEffort?: string | undefined;
  /** History to go on with. */
  messages?: Message[] | undefined;
  hook?: EngineHook | undefined;
  /** Tokens; default from the model table. */
  contextWindow?: number | undefined;
  /** Share of the window at which the history is summarised; default 0.8. */
  thresholdPct?: number | undefined;
  /** Share of the window at which old tool results are left out; default 0.75 × `thresholdPct`. */
  softThresholdPct?: number | undefined;
  /** Tokens; the summary threshold is never above it. Default null: no cap. */
  capTokens?: number | null | undefined;
  /** Where long tool results are kept; default a folder of its own under the temp folder. */
  toolResultDir?: string | undefined;
  /** Addition: how long a turn may wait for rate limits in all, in milliseconds; default 0: they end the turn. */
  waitLimitMs?: number | undefined;
  /**
   * Addition: the provider may ask the endpoint for the model's window beside the second request. Default false: no
   * request goes out but the model's own.
   */
  askContextWindow?: boolean | undefined;
  /** Addition: the same as `setApprover`. */
  approver?: Approver | null | undefined;
  /** Addition: a stable name for the endpoint's prefix cache. */
  sessionId?: string | undefined;
  /** Addition: what the model is told of its surroundings in front of the first prompt of a new history. */
  environment?: (() => Promise<string> | string) | undefined;
  /** Addition: news that the model has not been told, polled before each request (background tasks that ended). */
  notices?: (() => string[]) | undefined;
  /** Addition: what is kept with the next tool result for a later process, as its `seen`; plain data. */
  seen?: (() => unknown[]) | undefined;
  /** Addition: what `dispose()` ends beside the turn (background tasks of the tools). */
  dispose?: (() => Promise<void> | void) | undefined;
}

/** The history to go on with; a host may leave the content out where a message has none. */
export function givenMessages({ messages }: TurnEngineOpts): Message[] {
  return (messages ?? []).map((message) => (message.content === undefined ? { ...message, content: null } : message));
}

/** One option: its name, whether a value will do, and in words what it must be. */
export type Check<T> = [name: keyof T & string, isRight: (value: unknown) => boolean, wanted: string];

const isText = (value: unknown) => typeof value === "string";
/** The path of a folder, which need not be there yet. */
export const isFolder = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= 1;
const isShare = (value: unknown) => typeof value === "number" && value > 0 && value <= 1;
const isFunction = (value: unknown) => typeof value === "function";
const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => isFunction((value as Record<string, unknown>)[name]));

const required: Check<TurnEngineOpts>[] = [
  ["provider", hasMethods("stream", "chat"), "a ProviderClient with stream() and chat()"],
  ["registry", hasMethods("schemas", "call"), "a ToolRegistry"],
  ["permissions", hasMethods("evaluate"), "a PermissionEngine"],
  ["model", isText, "a string"],
  ["instructions", isText, "a string"],
];

const optional: Check<TurnEngineOpts>[] = [
  ["genSessionNamePrompt", isText, "a string"],
  ["lang", (value) => typeof value === "string" && isLang(value), `one of ${PROMPT_LANGS.join(", ")}`],
  ["maxIterations", isWhole, "a whole number of at least 1"],
  ["finalizeOnMaxIterations", (value) => typeof value === "boolean", "true or false"],
  ["reasoningEffort", isText, "a string"],
  [
    "messages",
    isHistory,
    "an array of messages with a role each, text or parts as content, and a name in each of their calls",
  ],
  ["hook", (value) => typeof value === "object" && !Array.isArray(value), "an EngineHook"],
  ["contextWindow", isWhole, "a whole number of tokens of at least 1"],
  ["thresholdPct", isShare, "a number above 0 and up to 1"],
  ["softThresholdPct", isShare, "a number above 0 and up to 1"],
  ["capTokens", isWhole, "null or a whole number of tokens of at least 1"],
  ["toolResultDir", isFolder, "a folder"],
  ["askContextWindow", (value) => typeof value === "boolean", "true or false"],
  ["waitLimitMs", (value) => typeof value === "number" && value >= 0, "a number of milliseconds"],
  ["approver", isFunction, "a function"],
  ["sessionId", isText, "a string"],
  ["environment", isFunction, "a function"],
  ["notices", isFunction, "a function"],
  ["seen", isFunction, "a function"],
  ["dispose", isFunction, "a function"],
];

/** @throws ZqError `invalid_option`, naming the option, what it must be and what it is */
export function checkOptions(opts: TurnEngineOpts): void {
  checkEach("TurnEngine", opts, { required, optional });
}

/** Checks the options of `owner`; optional ones may be undefined or null. Throws as `checkOptions` does. */
export function checkEach<T extends object>(
  owner: string,
  opts: T,
  { required, optional }: { required: Check<T>[]; optional: Check<T>[] },
): void {
  if (typeof opts !== "object" || opts === null)
    throw new ZqError("invalid_option", `${owner} needs an options object.`);
  const given = optional.filter(([name]) => opts[name] !== undefined && opts[name] !== null);
  for (const [name, isRight, wanted] of [...required, ...given]) {
    if (!isRight(opts[name])) throw wrong(`${owner}: option ${name}`, wanted, opts[name]);
  }
}

const roles = ["system", "user", "assistant", "tool"];

function isHistory(value: unknown): boolean {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(message: Partial<Message> | null): boolean {
  const { role = "", tool_calls: calls } = message ?? {};
  const areCalls = Array.isArray(calls) && calls.every((call) => typeof call?.function?.name === "string");
  const isSound = isContent(message?.content) && (calls === undefined || calls === null || areCalls);
  return roles.includes(role) && isSound;
}

function isContent(content: unknown): boolean {
  const areParts = Array.isArray(content) && content.every((part) => typeof part?.type === "string");
  return content === undefined || content === null || isText(content) || areParts;
}

function wrong(subject: string, wanted: string, value: unknown): ZqError {
  const got =
    value === null || typeof value !== "object" ? String(value) : Array.isArray(value) ? "an array" : "an object";
  return new ZqError("invalid_option", `${subject} must be ${wanted}; got ${got}.`);
}
