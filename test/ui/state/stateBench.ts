/** Drives the pure screen by hand: actions in, state, printed items and effects out, on a clock of its own. */
import { createPaint } from "../../../src/render/color";
import { type EventData, type EventType, event } from "../../../src/shared/events";
import { textsFor } from "../../../src/shared/locales";
import type { Ask } from "../../../src/ui/dialogs/dialog";
import { keyEvent, type Modifiers, textEvent } from "../../../src/ui/input/inputEvents";
import { Keymap } from "../../../src/ui/input/keymap";
import type { Item } from "../../../src/ui/state/items";
import { type Effect, initialState, type ScreenState } from "../../../src/ui/state/ScreenState";
import { uiTextsOf } from "../../../src/ui/state/texts";
import { type Action, update } from "../../../src/ui/state/update";
import { buildFrame, type Frame } from "../../../src/ui/view/frame";

export class ScreenBench {
  state: ScreenState;
  now = 1_000;
  readonly printed: Item[] = [];
  readonly effects: Effect[] = [];
  private readonly keymap = new Keymap();
  private dialogs = 0;

  constructor(size = { columns: 80, rows: 24 }) {
    const status = { mode: "interactive", model: "m", usage: null, folder: "/p", home: "/h", branch: null };
    this.state = initialState(size, status);
    this.do({ type: "opened", status });
  }

  do(action: Action): this {
    const { state, print, effects } = update(this.state, action, this.now);
    this.state = state;
    this.printed.push(...print);
    this.effects.push(...effects);
    return this;
  }

  type(text: string): this {
    for (const char of text) this.event({ ...textEvent(char), alone: true });
    return this;
  }

  key(name: string, modifiers: Modifiers = {}): this {
    return this.event({ ...keyEvent(name, modifiers), alone: true });
  }

  event(input: Parameters<Keymap["take"]>[0]): this {
    return this.do({ type: "input", input: { event: input, action: this.keymap.take(input) } });
  }

  /** A key on its own, as the gate hands it on to the open dialog. */
  press(key: string): this {
    return this.do({ type: "pressed", id: this.state.dialogs[0]?.id ?? 0, key });
  }

  emit<T extends EventType>(type: T, data: Partial<EventData[T]>): this {
    return this.do({ type: "event", event: event(type, data as EventData[T]) });
  }

  ask(ask: Ask): this {
    return this.do({ type: "asked", id: ++this.dialogs, ask });
  }

  /** Runs a turn: takes the `run` effect that sending gave, and says that the turn began. */
  start(prompt = "go"): this {
    this.type(prompt).key("enter");
    return this.do({ type: "started" });
  }

  /** The frame is written, as the terminal would tell. */
  written(): this {
    const { shown } = this.frame();
    return shown ? this.do({ type: "shown", part: shown }) : this;
  }

  later(milliseconds: number): this {
    this.now += milliseconds;
    return this;
  }

  frame(): Frame {
    const { columns } = this.state.size;
    const room = {
      width: Math.max(1, columns - 1),
      paint: createPaint(false),
      color: false,
      texts: uiTextsOf(textsFor("en")),
      now: this.now,
      beat: 0,
    };
    return buildFrame(this.state, room);
  }

  screen(): string {
    return this.frame().rows.join("\n");
  }

  last(kind: Effect["kind"]): Effect | undefined {
    return this.effects.findLast((effect) => effect.kind === kind);
  }
}

export function approval(command: string): Ask {
  return {
    kind: "approval",
    toolName: "run_shell",
    reason: "It may change something.",
    parts: [{ style: "code", label: "", text: command }],
    isCommand: true,
    changes: [],
    isEdited: false,
    comment: null,
    refused: false,
  };
}
