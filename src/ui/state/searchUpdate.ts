/** Ctrl-R: searching the earlier texts. The draft stays as it is until a match is taken (tui rule 22). */

import { currentMatch, newerMatch, olderMatch, searchFor, startSearch } from "../input/historyWalk";
import type { EditorAction } from "../input/keymap";
import { withDraftText } from "./draft";
import { type ScreenState, type Step, step } from "./ScreenState";

export function openSearch(state: ScreenState): Step {
  return step({ ...state, search: startSearch(state.draft.walk.entries), completion: null });
}

/** Keys while searching. Null: the search is over and the key means what it always means. */
export function updateSearch(state: ScreenState, action: EditorAction | null): Step | null {
  const { search } = state;
  if (!search || !action) return step(state);
  if (action.kind === "insert" || action.kind === "paste") {
    return step({ ...state, search: searchFor(search, (search.query + action.text).replaceAll("\n", " ")) });
  }
  switch (action.command) {
    case "deleteBack":
      return step({ ...state, search: searchFor(search, search.query.slice(0, -1)) });
    case "searchHistory":
    case "up":
      return step({ ...state, search: olderMatch(search) });
    case "down":
      return step({ ...state, search: newerMatch(search) });
    case "escape":
      return step({ ...state, search: null });
    case "submit":
    case "complete":
      return step(take(state));
    default:
      return null;
  }
}

/** The match becomes the draft, undoable; without a match the draft stays. */
export function take(state: ScreenState): ScreenState {
  const match = state.search && currentMatch(state.search);
  return { ...state, search: null, draft: match === null ? state.draft : withDraftText(state.draft, match) };
}
