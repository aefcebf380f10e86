/** Opens the real screen over a scripted session in a pseudo-terminal, with its own home and project folder. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type Pty, type PtyOptions, startPty } from "../../support/pty";
import type { Script } from "../fixtures/ScriptedSession";
import { buildScreen } from "./buildScreen";

export interface OpenScreen extends Pty {
  /** What the screen did to its session, a line each. */
  log(): string[];
  /** Until that log holds a line that matches. */
  logged(pattern: RegExp): Promise<void>;
  /** Sends keys one by one, each in a read of its own. */
  type(...keys: string[]): Promise<void>;
  home: string;
}

export interface ScreenSetup extends PtyOptions, Partial<Script> {
  lang?: string;
  resume?: string;
  prompt?: string;
  /** A shell line that runs the program as `$0 $1` does. */
  shell?: string;
}

/** The input row. */
export const PROMPT = /^❯ /m;
/** The key row of an open approval dialog. */
export const APPROVAL = /^y allow once/m;
/** The hint of a parked one. */
export const PARKED = /waits for your answer: Ctrl-T/;
export const WORKING = /Esc stops/;
export const QUEUED = /\((queued|after this turn)/;
/** The screen when no turn runs. */
export const IDLE = (screen: string[]) =>
  screen.some((row) => row.startsWith("❯ ")) && !screen.some((row) => WORKING.test(row));

/** Call once in a test file. */
export function prepareScreen(): (setup?: ScreenSetup) => OpenScreen {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-screen-"));
  const open: OpenScreen[] = [];
  let program = "";
  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    program = await buildScreen(join(folder, "build"));
  });
  afterEach(() => {
    for (const pty of open.splice(0)) pty.kill();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (setup = {}) => {
    const screen = openScreen(program, mkdtempSync(join(folder, "home-")), setup);
    open.push(screen);
    return screen;
  };
}

function openScreen(program: string, home: string, setup: ScreenSetup): OpenScreen {
  const { turns = [], env, lang, resume, prompt, shell, ...rest } = setup;
  const logFile = join(home, "log");
  const scriptFile = join(home, "script.json");
  const cwd = rest.cwd ?? join(home, "project");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(scriptFile, JSON.stringify({ turns, ...rest }));
  const all = {
    HOME: home,
    SCREEN_SCRIPT: scriptFile,
    SCREEN_LOG: logFile,
    SCREEN_LANG: lang,
    SCREEN_RESUME: resume,
    SCREEN_PROMPT: prompt,
    ...env,
  };
  const [command, args] =
    shell === undefined ? [process.execPath, [program]] : ["sh", ["-c", shell, process.execPath, program]];
  const pty = startPty(command, args, { ...rest, cwd, env: all });
  const log = () => (existsSync(logFile) ? readFileSync(logFile, "utf8").trimEnd().split("\n") : []);
  return Object.assign(Object.create(pty) as Pty, {
    home,
    log,
    async logged(pattern: RegExp) {
      for (let tries = 0; !log().some((line) => pattern.test(line)); tries++) {
        if (tries > 400)
          throw new Error(`Not logged: ${pattern}\n${log().join("\n")}\n--- screen\n${pty.screen().join("\n")}`);
        await pause(25);
      }
    },
    async type(...keys: string[]) {
      for (const key of keys) {
        pty.send(key);
        await pause(60);
      }
    },
  });
}

/** Longer than the window in which keys count as one burst. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Sends a prompt once the input box is there. */
export async function ask(screen: OpenScreen, text: string): Promise<void> {
  await screen.waitFor(PROMPT);
  screen.send(text);
  await screen.waitFor(text);
  await pause(60);
  screen.send("\r");
}

/** Until an open dialog listens to keys. */
export async function listening(screen: OpenScreen, dialog: RegExp = APPROVAL): Promise<void> {
  await screen.waitFor(dialog);
  await pause(700);
}

/** Rows of scrollback and screen that match. */
export function count(screen: OpenScreen, pattern: RegExp): number {
  return screen.buffer().filter((row) => pattern.test(row)).length;
}
