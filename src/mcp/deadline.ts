/** A limit on work that cannot be relied on to end: by time, or because a person does not want to wait any more. */

import { abortError } from "./clientErrors";

/**
 * Waits for `work`, `ms` milliseconds at most. Rejects with what it rejects with, a timeout error as the SDK's own has
 * it (code -32001), or an `AbortError`. The SDK bounds the greeting, but not a transport that never opens.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T> {
  const { promise, stop } = deadline(ms, signal);
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop();
    work.catch(() => {});
  }
}

function deadline(ms: number, signal: AbortSignal | undefined): { promise: Promise<never>; stop(): void } {
  let stop = () => {};
  const promise = new Promise<never>((_resolve, reject) => {
    const late = () => reject(Object.assign(new Error("Request timed out"), { code: -32001 }));
    const timer = setTimeout(late, ms + 250);
    const onAbort = () => reject(abortError());
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  });
  return { promise, stop };
}
