/** A terminal that understands only plain lines (TERM=dumb), or one that is read aloud: prompts and answers line by line, no cursor movement. */

import { createInterface, type Interface } from "node:readline/promises";
import { plainText, visibleText } from "../render/sanitize";
import type { Session } from "../sessions/Session";
import { ApprovalOutcome, type PermissionRequest } from "../shared/contracts";
import { errorSentence } from "../shared/errorSentence";
import { isEvent, type WsEvent } from "../shared/events";
import { fill } from "../shared/locales";
import { ExitCode } from "./exitCodes";
import { type Choice, openSession } from "./openSession";
import { argumentLine, retryLine } from "./pipedOutput";
import type { Settings } from "./settings";

/** A given prompt is the first one. Returns the exit code when the person leaves. Ctrl-C interrupts a turn, and leaves when none runs. */
export async function runLineMode(settings: Settings, choice: Choice, prompt: string): Promise<number> {
  const session = await openSession(settings, choice);
  const source = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const lines = new Lines(source, prompt === "" ? [] : [prompt]);
  const state = { running: false };
  process.on("SIGINT", () => (state.running ? session.interrupt() : lines.close()));
  session.setApprover((request) => approve(request, lines, settings));
  say(settings.texts.cli.lineModeHint);
  try {
    for (let line = await lines.next(); line !== ""; line = await lines.next()) {
      state.running = true;
      await turn(session, line, settings);
      state.running = false;
    }
  } finally {
    lines.close();
    await session.close();
  }
  say(fill(settings.texts.cli.resumeHint, { id: session.id }));
  return ExitCode.COMPLETED;
}

async function turn(session: Session, prompt: string, settings: Settings): Promise<void> {
  for await (const event of session.run(prompt)) show(event, settings);
}

function show(event: WsEvent, settings: Settings): void {
  const { cli } = settings.texts;
  if (isEvent(event, "assistant_message") && event.data.text.trim() !== "") say(plainText(event.data.text).trimEnd());
  else if (isEvent(event, "tool_proposed"))
    say(fill(cli.toolRunning, { name: visibleText(event.data.name), argument: argumentLine(event.data.arguments) }));
  else if (isEvent(event, "tool_finished"))
    say(
      fill(cli.toolDone, {
        status: event.data.status,
        duration: `${((event.data.duration ?? 0) / 1000).toFixed(1)} s`,
      }),
    );
  else if (isEvent(event, "error")) say(plainText(errorSentence(settings.texts.errors, event.data)));
  else if (isEvent(event, "llm_retry")) say(retryLine(event.data, settings.texts));
  else if (isEvent(event, "interrupted")) say(cli.interrupted);
  else if (isEvent(event, "turn_end") && event.data.status === "completed") say(cli.lineDone);
}

/** Only the whole word answers: a stray line must not allow anything. */
async function approve(request: PermissionRequest, lines: Lines, settings: Settings): Promise<ApprovalOutcome> {
  const question = { name: visibleText(request.toolName), argument: visibleText(JSON.stringify(request.arguments)) };
  process.stdout.write(fill(settings.texts.cli.lineApprove, question));
  return /^yes$/i.test(await lines.fresh()) ? ApprovalOutcome.ONCE : ApprovalOutcome.DENY;
}

/** The person's lines. Lines typed ahead wait for the next prompt; a question hears only what is typed after it. */
class Lines {
  readonly #source: Interface;
  readonly #ahead: string[];
  #waiting: ((line: string) => void) | null = null;
  #isClosed = false;

  constructor(source: Interface, ahead: string[]) {
    this.#source = source;
    this.#ahead = ahead;
    source.on("line", (line) => this.#take(line.trim()));
    source.on("close", () => {
      this.#isClosed = true;
      this.#waiting?.("");
    });
  }

  /** The next line, trimmed; empty at the end of input. */
  next(): Promise<string> {
    const ahead = this.#ahead.shift();
    return ahead === undefined ? this.fresh() : Promise.resolve(ahead);
  }

  /** The next line that is typed from now on; empty at the end of input. */
  fresh(): Promise<string> {
    if (this.#isClosed) return Promise.resolve("");
    return new Promise((resolve) => {
      this.#waiting = (line) => {
        this.#waiting = null;
        resolve(line);
      };
    });
  }

  close(): void {
    this.#source.close();
  }

  #take(line: string): void {
    if (this.#waiting) this.#waiting(line);
    else this.#ahead.push(line);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
