/** The bell: for what waits and for long turns, only when nobody looks, and once (tui rule 35). */
import { describe, expect, test } from "vitest";
import { createBell } from "../../src/ui/bell";
import { type Ask, openDialog } from "../../src/ui/dialogs/dialog";
import { initialState, type ScreenState } from "../../src/ui/state/ScreenState";
import { startTurn } from "../../src/ui/state/turn";
import { APPROVAL, ask, pause, prepareScreen } from "./support/screenBench";

const status = { mode: "auto", model: "m", usage: null, folder: "/", home: "/", branch: null };
const idle: ScreenState = { ...initialState({ columns: 80, rows: 24 }, status), phase: "idle" };
const working: ScreenState = { ...idle, phase: "working", turn: startTurn(0) };
const directory: Ask = { kind: "directory", path: "/x", reason: "", writable: false, refused: false };
const picker = { kind: "picker" } as Ask;
const waiting = (...asks: Ask[]): ScreenState => ({
  ...working,
  dialogs: asks.map((asked, id) => openDialog(id, asked, false)),
});

/** How often it rang over these states; `at`: when the last one came, in milliseconds. */
function rings(states: ScreenState[], { focus, at = 1_000 }: { focus?: boolean; at?: number } = {}): number {
  let count = 0;
  const bell = createBell(() => count++);
  if (focus !== undefined) bell.hear({ type: "focus", focused: focus });
  for (const [index, state] of states.entries()) bell.follow(state, index === states.length - 1 ? at : 0);
  return count;
}

test.each<[string, ScreenState[], { focus?: boolean; at?: number }, number]>([
  ["a request, looked at", [working, waiting(directory)], { focus: true }, 0],
  ["a request, not looked at", [working, waiting(directory)], { focus: false }, 1],
  ["a request, focus unknown", [working, waiting(directory)], {}, 1],
  ["a second one that joins the first", [working, waiting(directory), waiting(directory, directory)], {}, 1],
  ["a list that the person opened", [idle, waiting(picker)], {}, 0],
  ["a turn of nine seconds", [working, idle], { at: 9_000 }, 0],
  ["a turn of ten seconds", [working, idle], { at: 10_000 }, 1],
  ["a long turn, looked at", [working, idle], { at: 60_000, focus: true }, 0],
  [
    "a long turn that was stopped",
    [{ ...working, turn: { ...startTurn(0), stopping: true } }, idle],
    { at: 60_000 },
    0,
  ],
])("%s", (_, states, circumstances, expected) => {
  expect(rings(states, circumstances)).toBe(expected);
});

describe("on a terminal", () => {
  const open = prepareScreen();

  test.each([
    ["without the focus", "\u001b[O", 1],
    ["with the focus", "\u001b[I", 0],
  ])("an approval %s", async (_, report, expected) => {
    const screen = open({
      turns: [[{ tool: "run_shell", args: { command: "true" }, ask: "Commands need approval." }, { text: "done" }]],
    });
    await screen.waitFor(/interactive/);
    screen.send(report);
    await pause(60);
    await ask(screen, "go");
    await screen.waitFor(APPROVAL);
    await screen.quiet();
    expect(screen.raw.replace(/\u001b\][^\u0007\u001b]*\u0007/g, "").split("\u0007")).toHaveLength(expected + 1);
  });
});
