/** Walking through past prompts with the arrows, and searching them: drafts and edits made on the way are kept. */

import { change, type EditBuffer, type Snapshot, unitsOf } from "./draft";

/** Where the walk stands. `at` is an index of `entries`; behind the last one stands the draft. */
export interface HistoryWalk {
  readonly entries: readonly string[];
  readonly at: number;
  /** What each place holds after it was edited, the draft included. */
  readonly edits: ReadonlyMap<number, Snapshot>;
}

export interface WalkStep {
  walk: HistoryWalk;
  buffer: EditBuffer;
}

export function startWalk(entries: readonly string[]): HistoryWalk {
  return { entries, at: entries.length, edits: new Map() };
}

/** One prompt back; null at the oldest. The caret stands on its first line, so that the next step goes on back. */
export function olderPrompt(walk: HistoryWalk, buffer: EditBuffer): WalkStep | null {
  return walk.at === 0 ? null : step(walk, buffer, walk.at - 1);
}

/** One prompt forward, at last the draft as it was left; null at the draft. */
export function newerPrompt(walk: HistoryWalk, buffer: EditBuffer): WalkStep | null {
  return walk.at === walk.entries.length ? null : step(walk, buffer, walk.at + 1);
}

function step(walk: HistoryWalk, buffer: EditBuffer, at: number): WalkStep {
  const edits = new Map(walk.edits).set(walk.at, { units: buffer.units, caret: buffer.caret });
  const found = edits.get(at) ?? freshPlace(walk.entries[at] ?? "", at < walk.at);
  return { walk: { ...walk, at, edits }, buffer: change(buffer, found) };
}

function freshPlace(text: string, goesBack: boolean): Snapshot {
  const units = unitsOf(text);
  const firstEnd = units.indexOf("\n");
  return { units, caret: goesBack && firstEnd >= 0 ? firstEnd : units.length };
}

/** Ctrl-R: what is looked for and which match is shown. */
export interface HistorySearch {
  readonly entries: readonly string[];
  readonly query: string;
  /** Matches, newest first, each text once. */
  readonly matches: readonly string[];
  readonly at: number;
}

export function startSearch(entries: readonly string[]): HistorySearch {
  return searchFor({ entries, query: "", matches: [], at: 0 }, "");
}

/** Looks for a text anywhere in a prompt; capitals count only if the query has any. */
export function searchFor(search: HistorySearch, query: string): HistorySearch {
  const isExact = query !== query.toLowerCase();
  const fits = (text: string) => (isExact ? text : text.toLowerCase()).includes(query);
  return { ...search, query, matches: [...new Set([...search.entries].reverse().filter(fits))], at: 0 };
}

/** Ctrl-R again: the match before. Stays on the oldest. */
export function olderMatch(search: HistorySearch): HistorySearch {
  return { ...search, at: Math.min(search.at + 1, Math.max(0, search.matches.length - 1)) };
}

export function newerMatch(search: HistorySearch): HistorySearch {
  return { ...search, at: Math.max(0, search.at - 1) };
}

/** The match shown; null when nothing fits. Escape leaves the draft as it is: the search never touches it. */
export function currentMatch(search: HistorySearch): string | null {
  return search.matches[search.at] ?? null;
}
