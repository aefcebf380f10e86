/** What endpoints have taught us, by base URL and model: plain data that a host may keep and hand in again. */

/** Lessons of one endpoint and model. An absent field means: nothing was refused yet. */
export interface EndpointNotes {
  /** When the last lesson was learnt, in milliseconds since 1970. */
  at?: number;
  /** The endpoint has no Responses API. */
  api?: "chat" | undefined;
  /** Fields of a request that were refused, as `name` or `responses:name`; they are not sent any more. */
  drop?: string[];
  /** The name under which an output limit is taken. */
  outputKey?: "max_tokens" | "max_completion_tokens";
  /** What stands for an empty content (default: an empty string). */
  emptyContent?: "null";
  /** Call ids must be nine alphanumerics. */
  ids?: "nine";
  /** Tool schemas go out simplified. */
  schemas?: "simple";
  /** Tools that were refused even then. */
  withoutTools?: string[];
  /** False: the model takes no images. */
  images?: false;
  /** False: reasoning items of the Responses API are not taken. */
  reasoningItems?: false;
  /** Every assistant message with calls must carry its thinking: empty if need be, or never empty. */
  echo?: "always" | "filled";
  /** The system prompt goes in front of the first user message. */
  system?: "user";
  /** Between results and what a user says goes a word of the assistant. */
  afterResults?: "assistant";
  /** Results name their tool. */
  resultNames?: true;
  /** False: tools that the server itself runs are refused. */
  serverTools?: false;
  /** Tokens of the model's context window as the endpoint states it; 0: it was asked and does not say. */
  contextWindow?: number;
  /** Replies begin inside the thinking, without an opening tag. */
  thinksUnopened?: true;
}

/** All lessons, by `<base URL> <model>`. */
export type KnownEndpoints = Record<string, EndpointNotes>;

export class EndpointMemory {
  readonly #known: KnownEndpoints;
  readonly #baseURL: string;

  constructor(baseURL: string, known: KnownEndpoints = {}) {
    this.#baseURL = baseURL;
    this.#known = structuredClone(known);
  }

  notes(model: string): EndpointNotes {
    return this.#known[this.#key(model)] ?? {};
  }

  /** Adds a lesson. `now` in milliseconds since 1970. */
  learn(model: string, lesson: EndpointNotes, now = Date.now()): void {
    if (Object.keys(lesson).length === 0) return;
    this.#known[this.#key(model)] = { ...mergeNotes(this.notes(model), lesson), at: now };
  }

  /** A copy of everything known, for the host to keep. */
  get all(): KnownEndpoints {
    return structuredClone(this.#known);
  }

  #key(model: string): string {
    return `${this.#baseURL} ${model}`;
  }
}

/** Lists grow, single values are replaced. */
export function mergeNotes(before: EndpointNotes, lesson: EndpointNotes): EndpointNotes {
  const drop = union(before.drop, lesson.drop);
  const withoutTools = union(before.withoutTools, lesson.withoutTools);
  return {
    ...before,
    ...lesson,
    ...(drop.length > 0 ? { drop } : {}),
    ...(withoutTools.length > 0 ? { withoutTools } : {}),
  };
}

function union(before: string[] = [], more: string[] = []): string[] {
  return [...new Set([...before, ...more])];
}
