/** What keys, texts and pastes do: to the open dialog if there is one, else to the input box and the running turn. */

import { commandsLike, nextMode, parseLine } from "../commands";
import type { InputEvent, KeyEvent } from "../input/inputEvents";
import { updateDialog } from "./dialogUpdate";
import { clearDraft, type Draft, draftText, editDraft, isDraftEmpty, submitDraft, withDraftText } from "./draft";
import { completionPrefix } from "./popup";
import { type Effect, type ScreenState, type Step, step } from "./ScreenState";

/** Two presses of Ctrl-C within this time leave. */
export const LEAVE_WINDOW_MS = 2_000;

export function updateByInput(state: ScreenState, event: InputEvent, now: number): Step {
  if (event.type === "focus" || event.type === "reply" || state.phase === "leaving") return step(state);
  const anywhere = event.type === "key" ? updateByGlobalKey(state, event, now) : null;
  if (anywhere) return anywhere;
  const [dialog] = state.dialogs;
  if (dialog && !dialog.parked) return updateDialog(state, dialog, event, now);
  if (state.sheet) return updateSheet({ ...state, sheet: false }, event);
  return (event.type === "key" ? updateByKey(state, event) : null) ?? updateByText(state, event) ?? edit(state, event);
}

/** Keys that mean the same everywhere, also inside a dialog. */
function updateByGlobalKey(state: ScreenState, key: KeyEvent, now: number): Step | null {
  if (!key.ctrl || key.alt) return null;
  if (key.name === "c") return pressCtrlC(state, now);
  if (key.name === "l") return step(state, [{ kind: "redraw" }]);
  if (key.name === "z") return step(state, [{ kind: "suspend" }]);
  return null;
}

/** A draft is cleared first; then the turn is stopped; a second press within the window leaves. */
function pressCtrlC(state: ScreenState, now: number): Step {
  const isOpen = state.dialogs[0]?.parked === false;
  if (!isDraftEmpty(state.draft) && !isOpen) return step({ ...state, draft: clearDraft(state.draft), popupClosed: false });
  if (state.leaveArmedAt !== null && now - state.leaveArmedAt < LEAVE_WINDOW_MS) return step(state, [{ kind: "leave" }]);
  const armed: ScreenState = { ...state, sheet: false, leaveArmedAt: now, hint: { text: "leaveAgain" } };
  return stop(armed, [{ kind: "disarm" }]);
}

/** Stops what runs. A list that the person opened is closed by it; requests of the turn are withdrawn when it ends. */
function stop(state: ScreenState, effects: Effect[] = []): Step {
  const [dialog] = state.dialogs;
  if (!state.turn && dialog && !dialog.parked) return step(state, [...effects, { kind: "answer", id: dialog.id, answer: null }]);
  if (!state.turn) return step(state, effects);
  return step({ ...state, turn: { ...state.turn, stopping: true } }, [...effects, { kind: "interrupt" }]);
}

function updateSheet(state: ScreenState, event: InputEvent): Step {
  if (event.type === "text" && event.text === "?") return step(state);
  return event.type === "text" || event.type === "paste" ? edit(state, event) : step(state);
}

function updateByKey(state: ScreenState, key: KeyEvent): Step | null {
  if (key.ctrl && !key.alt) return updateByCtrlKey(state, key);
  if (key.alt) return null;
  const listed = listedCommands(state);
  if (listed.length > 0) {
    const done = updatePopup(state, key, listed);
    if (done) return done;
  }
  if (key.name === "escape") return state.turn ? stop(state) : step(state);
  if (key.name === "enter" && !key.shift) return submit(state, "now");
  if (key.name === "tab" && key.shift) return step(state, [{ kind: "setMode", mode: nextMode(state.status.mode) }]);
  if (key.name === "tab") return state.turn && !isDraftEmpty(state.draft) ? submit(state, "later") : step(state);
  if (key.name === "up" && isDraftEmpty(state.draft) && state.queue.length > 0) return step(state, [{ kind: "takeBack" }]);
  return null;
}

function updateByCtrlKey(state: ScreenState, key: KeyEvent): Step | null {
  if (key.name === "d" && isDraftEmpty(state.draft)) return step(state, [{ kind: "leave" }]);
  if (key.name === "t") return openParked(state);
  if (key.name === "o") return expand(state);
  return null;
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

function updateByText(state: ScreenState, event: InputEvent): Step | null {
  const asksForKeys = event.type === "text" && event.text === "?" && isDraftEmpty(state.draft);
  return asksForKeys ? step({ ...state, sheet: true }) : null;
}

function edit(state: ScreenState, event: InputEvent): Step {
  const draft = editDraft(state.draft, event, state.size.columns);
  if (!draft) return step(state);
  return step(withDraft(state, draft));
}

function withDraft(state: ScreenState, draft: Draft): ScreenState {
  const isSameWord = completionPrefix(draft) === completionPrefix(state.draft);
  return { ...state, draft, choice: isSameWord ? state.choice : 0, popupClosed: completionPrefix(draft) !== null && state.popupClosed };
}

function listedCommands(state: ScreenState): ReturnType<typeof commandsLike> {
  const prefix = completionPrefix(state.draft);
  return prefix === null || state.popupClosed ? [] : commandsLike(prefix);
}

/** Keys of the completion list; null for those that go on to the box. */
function updatePopup(state: ScreenState, key: KeyEvent, listed: ReturnType<typeof commandsLike>): Step | null {
  const chosen = listed[Math.min(state.choice, listed.length - 1)];
  if (key.name === "escape") return step({ ...state, popupClosed: true });
  if (key.name === "up" || key.name === "down") {
    const to = (state.choice + (key.name === "up" ? listed.length - 1 : 1)) % listed.length;
    return step({ ...state, choice: to });
  }
  if (!chosen || key.shift) return null;
  if (key.name === "tab") return step(withDraft(state, withDraftText(state.draft, `/${chosen.name} `)));
  if (key.name !== "enter") return null;
  return submit(withDraft(state, withDraftText(state.draft, `/${chosen.name}`)), "now");
}

/** Sends the draft: as a command, as the next prompt, or into the queue while something runs. */
function submit(state: ScreenState, when: "now" | "later"): Step {
  const text = draftText(state.draft);
  if (text.trim() === "") return step(state);
  const line = parseLine(text);
  if (line.kind === "unknown") {
    return step(state, [], [{ kind: "notice", tone: "warn", text: "commandUnknown", values: { command: line.name } }]);
  }
  const sent: ScreenState = { ...state, draft: submitDraft(state.draft), popupClosed: false, choice: 0, hint: null };
  if (line.kind === "command") {
    const { name, needsQuiet } = line.command;
    if (state.phase !== "idle" && needsQuiet) {
      return step({ ...state, hint: { text: state.turn ? "stopFirst" : "notStarted", values: { command: `/${name}` } } }, [{ kind: "disarm" }]);
    }
    return step(sent, [{ kind: "command", name, argument: line.argument }]);
  }
  return send(sent, text, when);
}

function send(state: ScreenState, text: string, when: "now" | "later"): Step {
  if (state.phase === "idle") return step({ ...state, phase: "working" }, [{ kind: "run", prompt: text }]);
  const isSteering = when === "now" && state.turn !== null && !state.turn.stopping && state.turn.activity !== "compacting";
  const entry = { text, when: isSteering ? ("now" as const) : ("later" as const) };
  return step({ ...state, queue: [...state.queue, entry] }, isSteering ? [{ kind: "steer", text }] : []);
}
