/** What endpoints taught us, kept for a week in `~/.zqagent/endpoints.json`, so that no run pays for a lesson again. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenAIProvider } from "../index";
import { withFileLock } from "../shared/fileLock";
import { writeFileAtomicSync } from "../shared/files";

type KnownEndpoints = OpenAIProvider["learned"];
type EndpointNotes = KnownEndpoints[string];

const WEEK_MS = 7 * 24 * 3_600_000;
/** More than a person uses; the newest are kept. */
const MOST = 200;

/** Lessons of the last week. A file that is missing, broken or not ours counts as empty. `now` in ms since 1970. */
export function readEndpoints(home: string, now = Date.now()): KnownEndpoints {
  return freshOf(readTable(pathOf(home)), now);
}

/** Writes what a provider knows over what is there, entry by entry: of two that know the same the newer one counts. */
export async function keepEndpoints(home: string, learned: KnownEndpoints, now = Date.now()): Promise<void> {
  const path = pathOf(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await withFileLock(path, () => {
    const kept = freshOf(readTable(path), now);
    for (const [key, notes] of Object.entries(freshOf(learned, now))) {
      if ((kept[key]?.at ?? 0) <= (notes.at ?? 0)) kept[key] = notes;
    }
    const newest = Object.entries(kept).sort(([, a], [, b]) => (b.at ?? 0) - (a.at ?? 0));
    const table = Object.fromEntries(newest.slice(0, MOST));
    writeFileAtomicSync(path, `${JSON.stringify(table, null, 2)}\n`, 0o600);
  });
}

/** Keeps a provider's lessons as it learns them: cheap to call where there is nothing new. */
export class EndpointKeeper {
  #kept: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly home: string,
    private readonly provider: Pick<OpenAIProvider, "learned">,
  ) {
    this.#kept = JSON.stringify(provider.learned);
  }

  /** Never rejects: a lesson that cannot be kept is learnt again. */
  keep(): Promise<void> {
    const { learned } = this.provider;
    const text = JSON.stringify(learned);
    if (text === this.#kept) return this.#writing;
    this.#kept = text;
    this.#writing = this.#writing.then(() => keepEndpoints(this.home, learned)).catch(() => undefined);
    return this.#writing;
  }
}

function pathOf(home: string): string {
  return join(home, "endpoints.json");
}

function readTable(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** Entries of ours that are not older than a week, nor from the future. */
function freshOf(table: Record<string, unknown>, now: number): KnownEndpoints {
  const entries = Object.entries(table).filter(
    (entry): entry is [string, EndpointNotes] =>
      isNotes(entry[1]) && (entry[1].at ?? 0) > now - WEEK_MS && (entry[1].at ?? 0) <= now + WEEK_MS,
  );
  return Object.fromEntries(entries);
}

const isListOfText = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === "string");
const oneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

const shapes: Record<keyof EndpointNotes, (value: unknown) => boolean> = {
  at: (value) => typeof value === "number",
  api: oneOf("chat"),
  drop: isListOfText,
  outputKey: oneOf("max_tokens", "max_completion_tokens"),
  emptyContent: oneOf("null"),
  ids: oneOf("nine"),
  schemas: oneOf("simple"),
  withoutTools: isListOfText,
  images: oneOf(false),
  reasoningItems: oneOf(false),
  echo: oneOf("always", "filled"),
  system: oneOf("user"),
  afterResults: oneOf("assistant"),
  resultNames: oneOf(true),
  serverTools: oneOf(false),
  contextWindow: (value) => Number.isInteger(value) && Number(value) >= 0,
  thinksUnopened: oneOf(true),
};

/** A hand-written or half-understood entry must not bend requests. */
function isNotes(value: unknown): value is EndpointNotes {
  if (typeof value !== "object" || value === null || !("at" in value)) return false;
  return Object.entries(value).every(([name, field]) => shapes[name as keyof EndpointNotes]?.(field) === true);
}
