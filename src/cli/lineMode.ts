/** A terminal that understands only plain lines (TERM=dumb): prompts and answers line by line, no cursor movement. */

import { createInterface, type Interface } from "node:readline/promises";
import { sanitizeText, visibleText } from "../render/sanitize";
import type { Session } from "../sessions/Session";
import { ApprovalOutcome, type PermissionRequest } from "../shared/contracts";
import { isEvent, type WsEvent } from "../shared/events";
import { fill } from "../shared/locales";
import { ExitCode } from "./exitCodes";
import { type Choice, openSession } from "./openSession";
import { mainArgument } from "./pipedOutput";
import type { Settings } from "./settings";

/** Returns the exit code when the person leaves. Ctrl-C interrupts a turn, and leaves when none runs. */
export async function runLineMode(settings: Settings, choice: Choice): Promise<number> {
  const session = await openSession(settings, choice);
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const state = { running: false };
  process.on("SIGINT", () => (state.running ? session.interrupt() : lines.close()));
  session.setApprover((request) => approve(request, lines, settings));
  say(settings.texts.cli.lineModeHint);
  try {
    for (let prompt = await nextLine(lines); prompt !== ""; prompt = await nextLine(lines)) {
      state.running = true;
      await turn(session, prompt, settings);
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
  if (isEvent(event, "assistant_message") && event.data.text.trim() !== "")
    say(sanitizeText(event.data.text, { color: false }).trimEnd());
  else if (isEvent(event, "tool_proposed"))
    say(fill(cli.toolRunning, { name: visibleText(event.data.name), argument: mainArgument(event.data.arguments) }));
  else if (isEvent(event, "tool_finished"))
    say(
      fill(cli.toolDone, {
        status: event.data.status,
        duration: `${((event.data.duration ?? 0) / 1000).toFixed(1)} s`,
      }),
    );
  else if (isEvent(event, "error")) say(visibleText(event.data.error));
  else if (isEvent(event, "interrupted")) say(cli.interrupted);
}

/** Only the whole word answers: a stray line must not allow anything. */
async function approve(request: PermissionRequest, lines: Interface, settings: Settings): Promise<ApprovalOutcome> {
  const question = { name: visibleText(request.toolName), argument: visibleText(JSON.stringify(request.arguments)) };
  process.stdout.write(fill(settings.texts.cli.lineApprove, question));
  return /^yes$/i.test(await nextLine(lines)) ? ApprovalOutcome.ONCE : ApprovalOutcome.DENY;
}

/** The next line, trimmed; empty at the end of input. */
function nextLine(lines: Interface): Promise<string> {
  return new Promise((resolve) => {
    const onLine = (line: string) => {
      lines.off("close", onClose);
      resolve(line.trim());
    };
    const onClose = () => {
      lines.off("line", onLine);
      resolve("");
    };
    lines.once("line", onLine);
    lines.once("close", onClose);
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
