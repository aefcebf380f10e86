/** The first frame and everything that moves it: Ink, the keys, the size. Loads React and Ink, and nothing heavier. */

import { render } from "ink";
import { App } from "./App";
import { type Bell, createBell } from "./bell";
import { isListening } from "./dialogs/dialog";
import { Keymap } from "./input/keymap";
import { createSingleKeyGate } from "./input/singleKey";
import { driftOf } from "./reflow";
import { type Look, ScreenStore } from "./ScreenStore";
import { Surface } from "./Surface";
import type { Item } from "./state/items";
import { initialState } from "./state/ScreenState";
import type { Terminal } from "./terminal/Terminal";
import type { Status } from "./view/statusLine";

export interface Mounted {
  store: ScreenStore;
  /** Draws everything below the printed output again; `erase`: what stands there now is ours. */
  redraw(erase: boolean): void;
  /** Leaves the place of the live region to another program, until the terminal is ours again. */
  vacate(): void;
  /** Takes the live region off the screen and ends Ink. What was printed stays. */
  unmount(): Promise<void>;
}

export interface MountOptions {
  terminal: Terminal;
  /** Emits `resize` while the size is still changing. */
  stdout: NodeJS.WriteStream;
  look: Look;
  status: Status;
  banner: Item;
  /** False: the terminal never rings. Default true. */
  notify?: boolean;
}

/** The monotonic clock of the screen, in milliseconds. */
const clock = () => performance.now();

/** Longer than the terminal waits for the size to settle. */
const RESIZE_LIMIT_MS = 160;

export function mountScreen({ terminal, stdout, look, status, banner, notify = true }: MountOptions): Mounted {
  const size = () => ({ columns: terminal.columns, rows: terminal.rows });
  const store = new ScreenStore(initialState(size(), status), look, clock);
  const surface = new Surface(terminal, () => noteWritten(store));
  store.say(banner);
  const ink = render(<App store={store} marks={surface.marks} />, {
    stdout: surface.output,
    stdin: terminal.inkStdin,
    exitOnCtrlC: false,
    maxFps: 30,
  });
  // Ink catches what a component throws, and stops; a screen that has stopped must not go on as if it had not.
  ink.waitUntilExit().catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
  const bell = createBell(() => notify && terminal.write("\u0007"));
  store.subscribe(() => bell.follow(store.state, clock()));
  listenToKeys(terminal, store, bell);
  learnDrift(terminal, surface);
  const redraw = createRedraw(store, surface, size);
  const unsubscribe = followSize({ terminal, stdout, store, redraw: () => redraw(true) });
  terminal.onResume(() => redraw(false));
  return {
    store,
    redraw,
    vacate() {
      store.hold();
      surface.erase(store.snapshot().frame);
    },
    async unmount() {
      unsubscribe();
      store.dispatch({ type: "left" });
      await nextTask();
      store.close();
      ink.unmount();
    },
  };
}

/** Keys go to the screen as they come; those that stood alone while a dialog listened come again as its answer. */
function listenToKeys(terminal: Terminal, store: ScreenStore, bell: Bell): void {
  const keymap = new Keymap();
  let listening = 0;
  const gate = createSingleKeyGate((key) => store.dispatch({ type: "pressed", id: listening, key }));
  terminal.onInput((event) => {
    bell.hear(event);
    const [dialog] = store.state.dialogs;
    store.dispatch({ type: "input", input: { event, action: keymap.take(event) } });
    if (!dialog || !isListening(dialog, clock())) return gate.close();
    listening = dialog.id;
    gate.take(event);
  });
}

/** Asks the terminal who it is: redrawing after a resize must know how it moves the cursor. */
function learnDrift(terminal: Terminal, surface: Surface): void {
  terminal.onInput((event) => {
    if (event.type === "reply" && event.kind === "da2") surface.drift = driftOf(event.value);
  });
  terminal.write("\u001b[>c");
}

/** The guard of a dialog runs from its first written frame, and what was never on the screen cannot be allowed. */
function noteWritten(store: ScreenStore): void {
  const { shown } = store.snapshot().frame;
  const [dialog] = store.state.dialogs;
  if (!shown || dialog?.id !== shown.id) return;
  const { seen, shownAt } = dialog;
  const isNews =
    shownAt === null ||
    seen.width !== shown.width ||
    seen.to < shown.to ||
    seen.of !== shown.of ||
    seen.window !== shown.to - shown.from;
  if (isNews) queueMicrotask(() => store.dispatch({ type: "shown", part: shown }));
}

function createRedraw(
  store: ScreenStore,
  surface: Surface,
  size: () => { columns: number; rows: number },
): (erase: boolean) => void {
  let isDrawing = false;
  return (erase) => {
    if (isDrawing) return;
    isDrawing = true;
    store.hold();
    const next = size();
    if (erase) surface.erase(store.snapshot().frame, store.state.size.rows - next.rows);
    surface.mute();
    store.reframe(next);
    // React commits the frame for the new size in between.
    setImmediate(() => {
      surface.drawAnew(store.snapshot().frame);
      isDrawing = false;
      store.release();
    });
  };
}

/** While the person drags, nothing is drawn; once the size is quiet, everything is, once (tui rule 6). */
function followSize(parts: {
  terminal: Terminal;
  stdout: NodeJS.WriteStream;
  store: ScreenStore;
  redraw: () => void;
}): () => void {
  const { terminal, stdout, store, redraw } = parts;
  let limit: NodeJS.Timeout | null = null;
  const end = () => {
    if (limit) clearTimeout(limit);
    limit = null;
  };
  const onChanging = () => {
    store.hold();
    end();
    limit = setTimeout(() => store.release(), RESIZE_LIMIT_MS);
  };
  stdout.on("resize", onChanging);
  const unsubscribe = terminal.onResize(() => {
    end();
    redraw();
  });
  return () => {
    end();
    stdout.off("resize", onChanging);
    unsubscribe();
  };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
