/** Stops work that does not end (a regular expression that backtracks), which nothing in JavaScript itself can do. */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createContext, Script } from "node:vm";
import { codeOf } from "../../shared/errors";
import { throwIfExhausted } from "../walk/exhaustion";

/** Runs work for at most `ms`. False: it was cut off. */
export type TimeLimit = (ms: number, work: () => void) => boolean;

/** A limit for work with this pattern. Without a repetition nothing can take long, and none is needed. */
export function createTimeLimit(pattern: string): TimeLimit {
  if (!/[*+{]/.test(pattern)) {
    return (_ms, work) => {
      work();
      return true;
    };
  }
  return createRunLimit();
}

/** A limit for any work that runs without a pause. */
export function createRunLimit(): TimeLimit {
  const bench = { work: () => {} };
  const context = createContext(bench);
  const script = new Script("work()");
  return (ms, work) => {
    bench.work = work;
    requireDescriptors();
    return runScript(() => script.runInContext(context, { timeout: Math.max(1, ms) }));
  };
}

function runScript(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    // The error is one of the script's own world, where `Error` is another class.
    if (codeOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}

/** More than the watching thread opens. */
const DESCRIPTORS_NEEDED = 8;

/** Node ends the whole process when that thread finds no free descriptors. Throws `ZqError` before it comes to that. */
function requireDescriptors(): void {
  const open: number[] = [];
  try {
    while (open.length < DESCRIPTORS_NEEDED) open.push(openSync(devNull, "r"));
  } catch (error) {
    throwIfExhausted(error, devNull);
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
