/** The one way in which the screen changes: an action and the time in, a new state out. No clock, no terminal, no session. */

import type { Block } from "../../render/markdown/blocks";
import { EventType, isEvent, type WsEvent } from "../../shared/events";
import { type Ask, type Dialog, noteShown, openDialog, type ShownPart } from "../dialogs/dialog";
import type { Status } from "../view/statusLine";
import { draftText, isDraftEmpty, withDraftText, withHistory } from "./draft";
import { type Input, updateByInput, updateBySingleKey } from "./inputUpdate";
import type { Item } from "./items";
import { joinTexts, nextPrompt, promptAfterStop, type Queued, withoutQueued } from "./queue";
import { type Effect, type ScreenState, type Step, step } from "./ScreenState";
import type { TextKey } from "./texts";
import { type Activity, endTurn, growAnswer, reduceTurn, startTurn, type TurnStep } from "./turn";

export type Action =
  | { type: "input"; input: Input }
  /** A key pressed on its own (tui rule 25), while that dialog listened. */
  | { type: "pressed"; id: number; key: string }
  | { type: "event"; event: WsEvent }
  /** Finished blocks of the streamed answer and its new tail. */
  | { type: "answer"; blocks: readonly Block[]; tail: string }
  | { type: "started"; activity?: Activity }
  /** The stream of a turn ended; `status` as turn_end gave it. */
  | {
      type: "ended";
      status: "completed" | "max_iterations_exceeded" | "interrupted" | "error";
      iterations: number;
      files: readonly string[];
    }
  | { type: "opened"; status: Status }
  | { type: "status"; status: Status }
  | { type: "resized"; size: ScreenState["size"] }
  | { type: "asked"; id: number; ask: Ask }
  /** Another session is being opened: what is sent waits for it. */
  | { type: "opening" }
  /** The proposal of a request is another now: it is asked anew. */
  | { type: "reasked"; id: number; ask: Ask }
  /** The draft comes back from the editor. */
  | { type: "drafted"; text: string }
  /** All questions of the session are void (it was interrupted, or closed). */
  | { type: "withdrawn" }
  | { type: "shown"; part: ShownPart }
  | { type: "tookBack"; texts: readonly Queued[] }
  | { type: "disarmed" }
  | { type: "remembered"; entries: readonly string[] }
  | { type: "hinted"; text: TextKey; values?: Record<string, string | number> }
  | { type: "printed"; items: readonly Item[] }
  /** A prompt given beforehand. */
  | { type: "queued"; text: string }
  | { type: "leaving" }
  /** Nothing but the printed output stays on the screen. */
  | { type: "left" };

export function update(state: ScreenState, action: Action, now: number): Step {
  switch (action.type) {
    case "input":
      return updateByInput(state, action.input, now);
    case "pressed":
      return updateBySingleKey(state, action.id, action.key, now);
    case "event":
      return updateByEvent(state, action.event, now);
    case "answer":
      return state.turn ? withTurn(state, growAnswer(state.turn, action, now)) : step(state);
    case "started":
      return step({ ...state, phase: "working", turn: startTurn(now, action.activity), hint: null });
    case "ended":
      return updateByEnd(state, action);
    case "opened":
      return updateByOpening(state, action.status);
    case "asked":
      return updateByAsk(state, action.id, action.ask);
    case "reasked":
      return step({
        ...state,
        dialogs: state.dialogs.map((dialog) =>
          dialog.id === action.id ? openDialog(dialog.id, action.ask, dialog.parked) : dialog,
        ),
      });
    case "drafted":
      return step({ ...state, draft: withDraftText(state.draft, action.text) });
    case "shown":
      return step({
        ...state,
        dialogs: state.dialogs.map((dialog) =>
          dialog.id === action.part.id ? noteShown(dialog, action.part, now) : dialog,
        ),
      });
    case "tookBack":
      return updateByTakeBack(state, action.texts);
    case "printed":
      return step(state, [], [...action.items]);
    default:
      return step(updateFacts(state, action));
  }
}

function updateFacts(
  state: ScreenState,
  action: Extract<
    Action,
    {
      type:
        | "status"
        | "resized"
        | "withdrawn"
        | "opening"
        | "disarmed"
        | "remembered"
        | "hinted"
        | "queued"
        | "leaving"
        | "left";
    }
  >,
): ScreenState {
  switch (action.type) {
    case "status":
      return { ...state, status: action.status };
    case "resized":
      return { ...state, size: action.size };
    case "withdrawn":
      return { ...state, dialogs: ownDialogs(state) };
    case "opening":
      return { ...state, phase: "opening" };
    case "disarmed":
      return { ...state, hint: null, leaveArmedAt: null };
    case "remembered":
      return { ...state, draft: withHistory(state.draft, action.entries) };
    case "hinted":
      return { ...state, hint: { text: action.text, values: action.values } };
    case "queued":
      return { ...state, queue: [...state.queue, { text: action.text, when: "later" }] };
    case "left":
      return { ...state, phase: "left", turn: null, queue: [], dialogs: [] };
    case "leaving":
      return { ...state, phase: "leaving", hint: { text: "leaving" }, dialogs: [] };
  }
}

/** What was typed and sent before the session was there goes out now. */
function updateByOpening(state: ScreenState, status: Status): Step {
  if (state.phase !== "opening") return step({ ...state, status });
  const next = nextPrompt(state.queue);
  if (!next) return step({ ...state, status, phase: "idle" });
  return step({ ...state, status, phase: "working", queue: next.rest }, [{ kind: "run", prompt: next.prompt }]);
}

function updateByEvent(state: ScreenState, event: WsEvent, now: number): Step {
  const turn = state.turn ?? startTurn(now);
  const next = withTurn(state, reduceTurn(turn, event, now));
  if (!isEvent(event, EventType.QUEUE_STEERING)) return next;
  return { ...next, state: { ...next.state, queue: withoutQueued(state.queue, event.data.text, "now") } };
}

function withTurn(state: ScreenState, { turn, print }: TurnStep): Step {
  return step({ ...state, turn }, [], print);
}

/** After a whole turn the next queued text goes out; after a broken one all of them come back into the box. */
function updateByEnd(state: ScreenState, end: Extract<Action, { type: "ended" }>): Step {
  const items = state.turn ? endTurn(state.turn, end.status, end.iterations) : [];
  const print = end.files.length > 0 ? [...items, changedNotice(end.files)] : items;
  const idle: ScreenState = {
    ...state,
    phase: state.phase === "leaving" ? "leaving" : "idle",
    turn: null,
    dialogs: ownDialogs(state),
    wideOutput: false,
  };
  const isBroken = end.status !== "completed";
  const next = isBroken ? promptAfterStop(state.queue) : nextPrompt(state.queue);
  const left = next?.rest ?? state.queue;
  const takeBack: Effect[] = isBroken && left.length > 0 ? [{ kind: "takeBack" }] : [];
  return next
    ? step({ ...idle, phase: "working", queue: left }, [...takeBack, { kind: "run", prompt: next.prompt }], print)
    : step(idle, takeBack, print);
}

function changedNotice(files: readonly string[]): Item {
  const shown = files.slice(0, 5).join(", ");
  const values = { count: files.length, files: files.length > 5 ? `${shown}, …` : shown };
  return { kind: "notice", tone: "plain", text: files.length === 1 ? "turnChangedOne" : "turnChanged", values };
}

/** Over a draft a request only parks itself (tui rule 24). Lists that the person opened never wait. */
function updateByAsk(state: ScreenState, id: number, ask: Ask): Step {
  const dialog = openDialog(id, ask, !isOwn(ask) && !isDraftEmpty(state.draft));
  return step({ ...state, dialogs: [...state.dialogs, dialog], sheet: false });
}

function isOwn(ask: Ask): boolean {
  return ask.kind === "picker" || ask.kind === "confirm";
}

function ownDialogs(state: ScreenState): Dialog[] {
  return state.dialogs.filter((dialog) => isOwn(dialog.ask));
}

function updateByTakeBack(state: ScreenState, texts: readonly Queued[]): Step {
  const queue = texts.reduce<readonly Queued[]>(
    (rest, entry) => withoutQueued(rest, entry.text, entry.when),
    state.queue,
  );
  const draft = withDraftText(state.draft, joinTexts(texts, draftText(state.draft)));
  return step({ ...state, queue, draft });
}
