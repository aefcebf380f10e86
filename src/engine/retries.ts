/** When a failed model call is made again, and after how long (guide 9.4). */

import { NETWORK_RETRY_BASE_MS, NETWORK_RETRY_MAX, numberFrom } from "../shared/env";
import { isModelError, type ModelError } from "../shared/errors";

/** What a turn may still spend on waiting for limits, in milliseconds; it runs down while the turn waits. */
export interface Patience {
  leftMs: number;
}

export interface Again {
  attempt: number;
  max: number;
  waitMs: number;
}

/** A wait of this length or more is not slept out unless the host allowed it. */
const LONGEST_WAIT_MS = 60_000;
/** First and longest step between two tries at a limit that names no time. */
const LIMIT_STEP_MS = 30_000;
const LIMIT_STEP_MOST_MS = 600_000;

/** Failures after which the same request may be sent again by us; 429 and 5xx are the provider's (guide 9.4). */
const brokenLine: ReadonlySet<string> = new Set(["network", "stream_incomplete", "stream_idle", "malformed_response"]);

/** What time alone cures, and what the provider has given up on. */
const limits: ReadonlySet<string> = new Set(["rate_limit", "overloaded", "quota"]);

/** Counts the tries of one model call. */
export class Retries {
  private broken = 0;
  private empty = 0;
  private limited = 0;

  constructor(private readonly patience: Patience = { leftMs: 0 }) {}

  /** How the call is made again; null when its failure stands. */
  next(failure: Error): Again | null {
    if (!isModelError(failure) || !failure.retriable) return null;
    if (failure.errorType === "empty_response") return this.afterEmpty();
    return this.afterBreak(failure) ?? this.afterLimit(failure);
  }

  private afterEmpty(): Again | null {
    this.empty += 1;
    return this.empty > 1 ? null : { attempt: 1, max: 1, waitMs: 0 };
  }

  private afterBreak(failure: ModelError): Again | null {
    const max = numberFrom(process.env, "NETWORK_RETRY_MAX", NETWORK_RETRY_MAX);
    if (!brokenLine.has(failure.errorType) || (failure.retryAfterMs ?? 0) > LONGEST_WAIT_MS) return null;
    this.broken += 1;
    if (this.broken > max) return null;
    return { attempt: this.broken, max, waitMs: failure.retryAfterMs ?? backoff(this.broken) };
  }

  /** A limit is waited for as long as the host said, and the request then sent again: the prompt stays where it is. */
  private afterLimit(failure: ModelError): Again | null {
    if (!limits.has(failure.errorType)) return null;
    const step = Math.min(LIMIT_STEP_MS * 2 ** this.limited, LIMIT_STEP_MOST_MS);
    // A second more than was asked for: clocks differ, and too early costs another round.
    const waitMs = failure.retryAfterMs === undefined ? step : failure.retryAfterMs + 1_000;
    if (waitMs > this.patience.leftMs) return null;
    this.patience.leftMs -= waitMs;
    this.limited += 1;
    return { attempt: this.limited, max: this.limited, waitMs };
  }
}

function backoff(attempt: number): number {
  const base = numberFrom(process.env, "NETWORK_RETRY_BASE_MS", NETWORK_RETRY_BASE_MS);
  return Math.round(base * 2 ** (attempt - 1) * (0.75 + Math.random() / 2));
}
