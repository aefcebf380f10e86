/** One turn without a screen (docs/guide.md, "Without a screen"). */

import type { Session } from "../sessions/Session";
import { ApprovalOutcome, type PermissionRequest } from "../shared/contracts";
import type { TurnStatus } from "../shared/events";
import { fill } from "../shared/locales";
import { ExitCode } from "./exitCodes";
import { type Choice, openSession } from "./openSession";
import { PipedOutput } from "./pipedOutput";
import type { OutputFormat } from "./program";
import type { Settings } from "./settings";

export interface PipedRun {
  choice: Choice;
  prompt: string;
  format: OutputFormat;
}

const STATUS_CODES: Record<TurnStatus, number> = {
  completed: ExitCode.COMPLETED,
  error: ExitCode.ERROR,
  max_iterations_exceeded: ExitCode.LIMIT,
  interrupted: ExitCode.INTERRUPTED,
};

/** Returns the exit code. Nobody is there to ask: what needs approval is denied, and told at the end. */
export async function runPiped(settings: Settings, run: PipedRun): Promise<number> {
  const session = await openSession(settings, run.choice);
  const output = new PipedOutput(session.id, run.format, settings.texts, {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
  session.setApprover(async (request: PermissionRequest) => {
    output.denied({ name: request.toolName, arguments: request.arguments, reason: request.reason });
    return { outcome: ApprovalOutcome.DENY, reason: "No user is present to approve this." };
  });
  const signals = interruptOnSignals(session);
  try {
    for await (const event of session.run(run.prompt)) output.take(event);
  } finally {
    signals.stop();
    await session.close();
  }
  const summary = output.finish();
  for (const problem of session.problems) process.stderr.write(`${problem}\n`);
  if (run.format === "text" && process.stderr.isTTY) {
    process.stderr.write(`${fill(settings.texts.cli.resumeHint, { id: session.id })}\n`);
  }
  await flushed();
  if (signals.caught() === "SIGTERM") return ExitCode.TERMINATED;
  if (summary.status === "completed" && summary.denied.length > 0) return ExitCode.DENIED;
  return STATUS_CODES[summary.status];
}

/** The first signal ends the turn as Esc does: commands are killed, everything is saved. A second one leaves at once. */
function interruptOnSignals(session: Session): { stop(): void; caught(): NodeJS.Signals | undefined } {
  let caught: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (caught !== undefined) process.exit(signal === "SIGTERM" ? ExitCode.TERMINATED : ExitCode.INTERRUPTED);
    caught = signal;
    session.interrupt();
  };
  const names: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, onSignal);
  return {
    stop: () => {
      for (const name of names) process.off(name, onSignal);
    },
    caught: () => caught,
  };
}

/** A pipe may still hold the end of the answer. */
function flushed(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => resolve()));
}
