/** What keys, texts and pastes do: to the open dialog if there is one, else to the input box and the running turn. */

import { type Command, nextMode, parseLine } from "../commands";
import { acceptChoice, moveSelection } from "../input/completion";
import type { InputEvent } from "../input/inputEvents";
import { type EditorAction, editDraft, type ScreenCommand } from "../input/keymap";
import { draftWidth } from "../view/prompt";
import { updateDialog } from "./dialogUpdate";
import { clearDraft, continueDraft, type Draft, draftText, isDraftEmpty, moveDraft, sentDraft } from "./draft";
import { completionOf, isBeginning } from "./popup";
import type { Queued } from "./queue";
import { type Effect, type ScreenState, type Step, step } from "./ScreenState";
import { openSearch, take, updateSearch } from "./searchUpdate";

/** Two presses of Ctrl-C within this time leave. */
export const LEAVE_WINDOW_MS = 2_000;

/** One event of the keyboard, and what it means to the input box. */
export interface Input {
  event: InputEvent;
  action: EditorAction | null;
}

export function updateByInput(state: ScreenState, { event, action }: Input, now: number): Step {
  if (event.type === "focus" || event.type === "reply" || isLeaving(state)) return step(state);
  const command = action?.kind === "screen" ? action.command : null;
  const anywhere = command && updateAnywhere(state, command, now);
  if (anywhere) return anywhere;
  const [dialog] = state.dialogs;
  if (dialog && !dialog.parked) return updateDialog(state, dialog, { kind: "event", event }, now);
  if (state.sheet) return updateSheet({ ...state, sheet: false }, action);
  return state.search
    ? (updateSearch(state, action) ?? updateByAction(take(state), action))
    : updateByAction(state, action);
}

function updateByAction(state: ScreenState, action: EditorAction | null): Step {
  return action?.kind === "screen" ? updateByCommand(state, action.command) : edit(state, action);
}

/** A key that was pressed on its own while dialog `id` listened. */
export function updateBySingleKey(state: ScreenState, id: number, key: string, now: number): Step {
  const [dialog] = state.dialogs;
  return dialog?.id === id ? updateDialog(state, dialog, { kind: "single", key }, now) : step(state);
}

function isLeaving({ phase }: ScreenState): boolean {
  return phase === "leaving" || phase === "left";
}

/** Keys that mean the same everywhere, also inside a dialog. */
function updateAnywhere(state: ScreenState, command: ScreenCommand, now: number): Step | null {
  if (command === "cancel") return pressCtrlC(state, now);
  if (command === "redraw") return step(state, [{ kind: "redraw" }]);
  return command === "suspend" ? step(state, [{ kind: "suspend" }]) : null;
}

/** A draft is cleared first; then the turn is stopped; a second press within the window leaves. */
function pressCtrlC(state: ScreenState, now: number): Step {
  const isAsking = state.dialogs[0]?.parked === false;
  if (state.search && !isAsking) return step({ ...state, search: null });
  if (!isDraftEmpty(state.draft) && !isAsking) return step(withDraft(state, clearDraft(state.draft)));
  if (state.leaveArmedAt !== null && now - state.leaveArmedAt < LEAVE_WINDOW_MS)
    return step(state, [{ kind: "leave" }]);
  const armed: ScreenState = { ...state, sheet: false, leaveArmedAt: now, hint: { text: "leaveAgain" } };
  return stop(armed, [{ kind: "disarm" }]);
}

/** Stops what runs. A list that the person opened is closed by it; requests of the turn are withdrawn by the interrupt. */
function stop(state: ScreenState, effects: Effect[] = []): Step {
  const [dialog] = state.dialogs;
  if (!state.turn && dialog && !dialog.parked) {
    return step({ ...state, dialogs: state.dialogs.slice(1) }, [
      ...effects,
      { kind: "answer", id: dialog.id, answer: null },
    ]);
  }
  if (!state.turn) return step(state, effects);
  return step({ ...state, turn: { ...state.turn, stopping: true } }, [...effects, { kind: "interrupt" }]);
}

/** Any key closes the sheet of keys; typing goes on into the box. */
function updateSheet(state: ScreenState, action: EditorAction | null): Step {
  const isTyping = (action?.kind === "insert" && action.text !== "?") || action?.kind === "paste";
  return isTyping ? edit(state, action) : step(state);
}

function updateByCommand(state: ScreenState, command: ScreenCommand): Step {
  return updatePopup(state, command) ?? updateBox(state, command);
}

/** Keys of the completion list; null for those that go on to the box. */
function updatePopup(state: ScreenState, command: ScreenCommand): Step | null {
  const { completion } = state;
  if (!completion) return null;
  const accepted = { ...state.draft, buffer: acceptChoice(state.draft.buffer, completion) };
  switch (command) {
    case "escape":
      return step({ ...state, completion: null });
    case "up":
      return step({ ...state, completion: moveSelection(completion, -1) });
    case "down":
      return step({ ...state, completion: moveSelection(completion, 1) });
    case "complete":
      return step(withDraft(state, accepted));
    case "submit":
      return submit(isBeginning(state.draft, completion) ? withDraft(state, accepted) : state, "now");
    default:
      return null;
  }
}

function updateBox(state: ScreenState, command: ScreenCommand): Step {
  const isEmpty = isDraftEmpty(state.draft);
  switch (command) {
    case "submit": {
      const continued = continueDraft(state.draft);
      return continued ? step(withDraft(state, continued)) : submit(state, "now");
    }
    case "complete":
      return state.phase === "working" ? submit(state, "later") : step(state);
    case "escape":
      return state.turn ? stop(state) : step(state);
    case "nextMode":
      return step(state, [{ kind: "setMode", mode: nextMode(state.status.mode) }]);
    case "deleteOrLeave":
      return isEmpty ? step(state, [{ kind: "leave" }]) : edit(state, { kind: "draft", command: "deleteForward" });
    case "leftOrBackground":
      return edit(state, { kind: "draft", command: "moveLeft" });
    case "up":
      if (isEmpty && state.queue.length > 0) return step(state, [{ kind: "takeBack" }]);
      return step(withDraft(state, moveDraft(state.draft, "up", draftWidth(state.size.columns))));
    case "down":
      return step(withDraft(state, moveDraft(state.draft, "down", draftWidth(state.size.columns))));
    case "searchHistory":
      return openSearch(state);
    case "editor":
      return step(state, [{ kind: "editDraft", text: draftText(state.draft) }]);
    case "openRequest":
      return openParked(state);
    case "expand":
      return expand(state);
    default:
      return step(state);
  }
}

function openParked(state: ScreenState): Step {
  const [first, ...rest] = state.dialogs;
  return first ? step({ ...state, dialogs: [{ ...first, parked: false }, ...rest] }) : step(state);
}

/** Running output is shown at length in its place; a finished result is printed whole. */
function expand(state: ScreenState): Step {
  const isRunning = state.turn?.cards.some((card) => card.state === "running" && card.output !== "");
  return isRunning ? step({ ...state, wideOutput: !state.wideOutput }) : step(state, [{ kind: "showResult" }]);
}

function edit(state: ScreenState, action: EditorAction | null): Step {
  if (!action || action.kind === "screen") return step(state);
  if (action.kind === "insert" && action.text === "?" && isDraftEmpty(state.draft))
    return step({ ...state, sheet: true });
  const next = withDraft(state, { ...state.draft, buffer: editDraft(state.draft.buffer, action) });
  const isBroken = action.kind === "paste" && action.unfinished;
  return isBroken ? step({ ...next, hint: { text: "pasteUnfinished" } }, [{ kind: "disarm" }]) : step(next);
}

/** Another draft; while the same word is typed a closed list stays closed, and a moved choice where it is. */
function withDraft(state: ScreenState, draft: Draft): ScreenState {
  const isSame = draftText(draft) === draftText(state.draft);
  return { ...state, draft, completion: isSame ? state.completion : completionOf(draft) };
}

/** Sends the draft: as a command, as the next prompt, or into the queue while something runs. */
function submit(state: ScreenState, when: "now" | "later"): Step {
  const text = draftText(state.draft);
  if (text.trim() === "") return step(state);
  const line = parseLine(text);
  if (line.kind === "unknown") {
    return step(state, [], [{ kind: "notice", tone: "warn", text: "commandUnknown", values: { command: line.name } }]);
  }
  if (line.kind === "command") return submitCommand(state, line.command, line.argument);
  return send({ ...state, draft: sentDraft(state.draft), completion: null, hint: null }, text, when);
}

/** What needs the conversation to itself keeps its text in the box until it may run. */
function submitCommand(state: ScreenState, command: Command, argument: string): Step {
  if (state.phase !== "idle" && command.needsQuiet) {
    const text = state.phase === "opening" ? "notStarted" : "stopFirst";
    return step({ ...state, hint: { text, values: { command: `/${command.name}` } } }, [{ kind: "disarm" }]);
  }
  const sent: ScreenState = { ...state, draft: sentDraft(state.draft), completion: null, hint: null };
  return step(sent, [{ kind: "command", name: command.name, argument }]);
}

function send(state: ScreenState, text: string, when: "now" | "later"): Step {
  if (state.phase === "idle") return step({ ...state, phase: "working" }, [{ kind: "run", prompt: text }]);
  const { turn } = state;
  const isSteering = when === "now" && turn !== null && !turn.stopping && turn.activity !== "compacting";
  const place = isSteering ? "now" : turn?.stopping ? "next" : "later";
  const queue: Queued[] = [...state.queue, { text, when: place }];
  return step({ ...state, queue }, isSteering ? [{ kind: "steer", text }] : []);
}
