/** What the tools that ask a person have in common: one wait that an interrupt ends, and the words for silence. */

import type { ToolResult } from "../shared/contracts";

/** What came of asking. `unanswered`: the person passed it over, or the handler failed. */
export type Asked<T> = { answer: T } | { silence: "nobody" | "unanswered" | "interrupted" };

const GO_ON = "Go on with your best judgement and say what you assumed.";

/** Asks through a handler. Never hangs past an interrupt and never throws. */
export async function askPerson<T>(
  ask: (() => Promise<T> | T) | null,
  signal: AbortSignal | undefined,
): Promise<Asked<T>> {
  if (signal?.aborted) return { silence: "interrupted" };
  if (!ask) return { silence: "nobody" };
  const stop = interruption(signal);
  try {
    return await Promise.race([stop.promise, answered(ask)]);
  } finally {
    stop.release();
  }
}

/** The result for a question that got no answer. */
export function silenceResult(silence: "nobody" | "unanswered" | "interrupted", advice = GO_ON): ToolResult {
  if (silence === "interrupted") return { content: "Interrupted before the user answered.", status: "interrupted" };
  const who = silence === "nobody" ? "No user is present." : "The user did not answer.";
  return { content: `${who} ${advice}`, status: "ok" };
}

async function answered<T>(ask: () => Promise<T> | T): Promise<Asked<T>> {
  try {
    return { answer: await ask() };
  } catch {
    return { silence: "unanswered" };
  }
}

function interruption(signal: AbortSignal | undefined): { promise: Promise<Asked<never>>; release(): void } {
  let onAbort = () => {};
  const promise = new Promise<Asked<never>>((resolve) => {
    onAbort = () => resolve({ silence: "interrupted" });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  return { promise, release: () => signal?.removeEventListener("abort", onAbort) };
}
