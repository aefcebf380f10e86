/** Runs a program in a pseudo-terminal with a screen model, and waits for what it shows, never for a fixed time. */
import { spawn } from "@lydell/node-pty";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import xterm from "@xterm/headless";

export interface PtyOptions {
  cols?: number;
  rows?: number;
  cwd?: string;
  /** Added to a small clean environment; undefined removes a name. */
  env?: Record<string, string | undefined>;
  /** Answer the kitty keyboard query (xterm.js alone does not). */
  kitty?: boolean;
  /** The background colour that OSC 11 is answered with, `rgb:ffff/ffff/ffff`; unset: no answer. */
  background?: string;
  /** False: a terminal that answers nothing. */
  answers?: boolean;
}

export interface Cell {
  text: string;
  /** Palette index, 24-bit number, or -1 for the default colour. */
  foreground: number;
  background: number;
  bold: boolean;
  dim: boolean;
  invisible: boolean;
}

type Pattern = RegExp | string | ((screen: string[]) => boolean);

export interface Pty {
  readonly pid: number;
  /** Writes bytes as the keyboard would. */
  send(bytes: string | Buffer): void;
  /** A bracketed paste in one write. */
  paste(text: string): void;
  /** The visible rows, blanks at their ends cut. */
  screen(): string[];
  /** Scrollback and screen. */
  buffer(): string[];
  /** A cell of the visible screen. */
  cell(row: number, column: number): Cell;
  readonly cursor: { row: number; column: number; line: string };
  /** All that the program wrote. */
  readonly raw: string;
  /** Until the screen (rows joined by line ends) matches; rejects with the screen as it stands. */
  waitFor(pattern: Pattern, timeoutMs?: number): Promise<void>;
  /** The same over scrollback and screen. */
  waitForBuffer(pattern: Pattern, timeoutMs?: number): Promise<void>;
  /** Until all that has been written matches. */
  waitForRaw(pattern: RegExp | string, timeoutMs?: number): Promise<void>;
  /** Until the program has written nothing for so long. */
  quiet(milliseconds?: number): Promise<void>;
  resize(cols: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Exit code; a signal's death counts as 128 + its number. */
  readonly exited: Promise<number>;
  /** Closes the terminal, as closing its window does. */
  close(): void;
  /** SIGKILL, if it still runs. */
  kill(): void;
}

const scrollback = 20_000;

/** Ink and others draw differently when they believe to run in CI. */
const ciNames =
  /^(CI|CI_.*|CONTINUOUS_INTEGRATION|BUILD_NUMBER|RUN_ID|GITHUB_ACTIONS|FORCE_COLOR|NO_COLOR|VITEST.*|NODE_ENV|NODE_OPTIONS|SSH_.*|TMUX.*)$/;

function buildEnvironment(extra: PtyOptions["env"]): Record<string, string> {
  const env: Record<string, string> = {};
  const all = { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8" };
  for (const [name, value] of Object.entries(all)) if (value !== undefined && !ciNames.test(name)) env[name] = value;
  for (const [name, value] of Object.entries(extra ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

export function startPty(command: string, args: string[], options: PtyOptions = {}): Pty {
  const { cols = 80, rows = 24, cwd = process.cwd() } = options;
  const terminal = createScreen(cols, rows);
  const env = buildEnvironment(options.env);
  // The library sets TERM to the name that it is given.
  const child = spawn(command, args, { name: env.TERM ?? "xterm-256color", cols, rows, cwd, env });
  const changes = new Set<() => void>();
  const state = { raw: "", hasExited: false };
  answerQueries(terminal, options, (answer) => {
    if (!state.hasExited) child.write(answer);
  });
  const announce = () => {
    for (const change of [...changes]) change();
  };
  child.onData((data) => {
    state.raw += data;
    terminal.write(data, announce);
  });
  const exited = new Promise<number>((resolve) =>
    child.onExit(({ exitCode, signal }) => {
      state.hasExited = true;
      // What is still on its way to the screen model is shown first.
      terminal.write("", () => {
        resolve(signal ? 128 + signal : exitCode);
        announce();
      });
    }),
  );
  const lines = (from: number) => readLines(terminal, from);
  const wait = (read: () => string[], pattern: Pattern, timeoutMs = 10_000) =>
    waitUntil({
      changes,
      timeoutMs,
      holds: () => matches(read(), pattern),
      describe: () => describeWait(pattern, lines(0), state),
    });

  return {
    pid: child.pid,
    send: (bytes) => child.write(bytes as string),
    paste: (text) => child.write(`\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`),
    screen: () => lines(terminal.buffer.active.baseY),
    buffer: () => lines(0),
    cell: (row, column) => readCell(terminal, row, column),
    get cursor() {
      const { cursorX, cursorY, baseY } = terminal.buffer.active;
      return { row: cursorY, column: cursorX, line: lines(baseY)[cursorY] ?? "" };
    },
    get raw() {
      return state.raw;
    },
    waitFor: (pattern, timeoutMs) => wait(() => lines(terminal.buffer.active.baseY), pattern, timeoutMs),
    waitForBuffer: (pattern, timeoutMs) => wait(() => lines(0), pattern, timeoutMs),
    waitForRaw: (pattern, timeoutMs) => wait(() => [state.raw], pattern, timeoutMs),
    quiet: (milliseconds = 150) => waitQuiet(changes, milliseconds),
    resize(newCols, newRows) {
      terminal.resize(newCols, newRows);
      child.resize(newCols, newRows);
    },
    signal: (name) => process.kill(child.pid, name),
    exited,
    close: () => (child as unknown as { destroy(): void }).destroy(),
    kill: () => {
      if (!state.hasExited) child.kill("SIGKILL");
    },
  };
}

function createScreen(cols: number, rows: number): xterm.Terminal {
  const terminal = new xterm.Terminal({ cols, rows, scrollback, allowProposedApi: true });
  terminal.loadAddon(new Unicode11Addon() as unknown as xterm.ITerminalAddon);
  terminal.unicode.activeVersion = "11";
  return terminal;
}

function answerQueries(terminal: xterm.Terminal, options: PtyOptions, answer: (text: string) => void): void {
  if (options.answers === false) return;
  terminal.onData(answer);
  if (options.kitty) {
    terminal.parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
      answer("\u001b[?0u");
      return true;
    });
  }
  const { background } = options;
  terminal.parser.registerOscHandler(11, (data) => {
    if (data === "?" && background) answer(`\u001b]11;${background}\u001b\\`);
    return true;
  });
}

function readLines(terminal: xterm.Terminal, from: number): string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let y = from; y < active.length; y++) lines.push(active.getLine(y)?.translateToString(true) ?? "");
  return lines;
}

function readCell(terminal: xterm.Terminal, row: number, column: number): Cell {
  const { active } = terminal.buffer;
  const cell = active.getLine(active.baseY + row)?.getCell(column);
  if (!cell) throw new Error(`There is no cell at row ${row}, column ${column}.`);
  return {
    text: cell.getChars(),
    foreground: cell.isFgDefault() ? -1 : cell.getFgColor(),
    background: cell.isBgDefault() ? -1 : cell.getBgColor(),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    invisible: cell.isInvisible() !== 0,
  };
}

function matches(lines: string[], pattern: Pattern): boolean {
  if (typeof pattern === "function") return pattern(lines);
  const text = lines.join("\n");
  return typeof pattern === "string"
    ? text.includes(pattern)
    : new RegExp(pattern.source, pattern.flags.replace("g", "")).test(text);
}

interface Wait {
  changes: Set<() => void>;
  timeoutMs: number;
  holds(): boolean;
  describe(): string;
}

function waitUntil({ changes, timeoutMs, holds, describe }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      changes.delete(check);
      settle();
    };
    const check = () => {
      if (holds()) finish(resolve);
    };
    const timer = setTimeout(() => finish(() => reject(new Error(describe()))), timeoutMs);
    changes.add(check);
    check();
  });
}

function waitQuiet(changes: Set<() => void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      changes.delete(again);
      resolve();
    };
    let timer = setTimeout(done, milliseconds);
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(done, milliseconds);
    };
    changes.add(again);
  });
}

function describeWait(pattern: Pattern, lines: string[], state: { raw: string; hasExited: boolean }): string {
  const shown = lines.join("\n").trimEnd().split("\n").slice(-60).join("\n");
  const end = state.hasExited ? " (the program has ended)" : "";
  return `Not seen: ${pattern}${end}\n--- screen\n${shown}\n--- last bytes\n${JSON.stringify(state.raw.slice(-300))}`;
}
