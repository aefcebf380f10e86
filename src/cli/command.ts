/** Runs one command line: parses it, does it, and turns whatever goes wrong into one to three lines and a code. */

import { codeOf, isZqError, messageOf } from "../shared/errors";
import { fill } from "../shared/locales";
import { ExitCode } from "./exitCodes";
import { type Invocation, parseInvocation } from "./program";
import { commandTexts } from "./texts";
import { UsageError } from "./usageError";

/** Returns the exit code; never throws. */
export async function runCommand(args: string[]): Promise<number> {
  leaveQuietlyOnClosedPipe();
  try {
    const invocation = parseInvocation(args, commandTexts(args, process.env));
    return typeof invocation === "number" ? invocation : await dispatch(invocation);
  } catch (error) {
    return report(error, args);
  }
}

/** Each command is loaded when it is wanted: what one does not need costs it nothing. */
async function dispatch(invocation: Invocation): Promise<number> {
  switch (invocation.command) {
    case "session":
      return (await import("./runSession")).runSession(invocation.options);
    case "rollback":
      return (await import("./rollback")).runRollback(invocation.options);
    case "diff":
      return (await import("./diff")).runDiff(invocation.options);
    case "sessions-list":
      return (await import("./sessionList")).listSessions(invocation.options);
    case "sessions-show":
      return (await import("./sessionList")).showSession(invocation.options);
    case "doctor":
      return (await import("./doctor/doctor")).runDoctor(invocation.options);
    case "demo":
      return (await import("./demo/demo")).runDemo(invocation.options);
  }
}

function report(error: unknown, args: string[]): number {
  const verbose = args.includes("--verbose") || process.env.ZQAGENT_DEBUG === "1";
  const texts = commandTexts(args, process.env);
  const known = isZqError(error) || codeOf(error)?.startsWith("E") === true;
  const message = known ? messageOf(error) : fill(texts.cli.unexpected, { problem: messageOf(error) });
  process.stderr.write(`${message}\n`);
  if (verbose && error instanceof Error && error.stack) process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? ExitCode.USAGE : ExitCode.ERROR;
}

/** `zqagent … | head` closes our stdout early; that is no error. */
function leaveQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (codeOf(error) === "EPIPE") process.exit(ExitCode.COMPLETED);
    });
  }
}
