/** All that the screen shows, as one plain value; and what it may ask the world to do. */

import type { CommandName } from "../commands";
import type { Dialog } from "../dialogs/dialog";
import type { CompletionList } from "../input/completion";
import type { HistorySearch } from "../input/historyWalk";
import type { Status } from "../view/statusLine";
import { type Draft, emptyDraft } from "./draft";
import type { Item } from "./items";
import type { Queued } from "./queue";
import type { TextKey } from "./texts";
import type { Turn } from "./turn";

/** `opening`: the session is not there yet, texts sent meanwhile wait. */
export type Phase = "opening" | "idle" | "working" | "leaving" | "left";

export interface ScreenState {
  size: { columns: number; rows: number };
  phase: Phase;
  status: Status;
  turn: Turn | null;
  draft: Draft;
  queue: readonly Queued[];
  /** The first one is asked now. */
  dialogs: readonly Dialog[];
  /** The key sheet is open. */
  sheet: boolean;
  /** The open completion list. */
  completion: CompletionList | null;
  /** Open while earlier texts are searched. */
  search: HistorySearch | null;
  /** Running cards show as much output as fits. */
  wideOutput: boolean;
  /** Said in the last row for a while. */
  hint: { text: TextKey; values?: Record<string, string | number> } | null;
  /** When Ctrl-C was pressed on an empty box. */
  leaveArmedAt: number | null;
}

/** What the screen cannot do by itself. */
export type Effect =
  | { kind: "run"; prompt: string }
  | { kind: "interrupt" }
  | { kind: "steer"; text: string }
  /** Take back queued texts as far as they have not reached the model, and put them into the box. */
  | { kind: "takeBack" }
  | { kind: "command"; name: CommandName; argument: string }
  | { kind: "setMode"; mode: string }
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "editProposal"; id: number }
  | { kind: "editDraft"; text: string }
  | { kind: "showResult" }
  | { kind: "disarm" }
  | { kind: "redraw" }
  | { kind: "suspend" }
  | { kind: "leave" };

/** The state after an action, what goes up for good, and what is to be done, in this order. */
export interface Step {
  state: ScreenState;
  print: Item[];
  effects: Effect[];
}

export function step(state: ScreenState, effects: Effect[] = [], print: Item[] = []): Step {
  return { state, print, effects };
}

export function initialState(size: ScreenState["size"], status: Status): ScreenState {
  return {
    size,
    phase: "opening",
    status,
    turn: null,
    draft: emptyDraft,
    queue: [],
    dialogs: [],
    sheet: false,
    completion: null,
    search: null,
    wideOutput: false,
    hint: null,
    leaveArmedAt: null,
  };
}
