/** One error class with a code, recognised by a brand and not by `instanceof`: two copies of the package may meet. */

const brand = Symbol.for("zqagent.error");

/** The classes of a failed model call, and the engine's own (docs/events.md lists what each means). */
export type ErrorType =
  | "rate_limit"
  | "quota"
  | "auth"
  | "forbidden"
  | "model_not_found"
  | "endpoint_unsupported"
  | "capability"
  | "context_overflow"
  | "payload_too_large"
  | "history_invalid"
  | "content_filter"
  | "output_rejected"
  | "malformed_response"
  | "stream_incomplete"
  | "stream_idle"
  | "empty_response"
  | "overloaded"
  | "server"
  | "network"
  | "unsupported_param"
  | "tool_schema"
  | "loop_detected"
  | "repeating_output"
  | "compaction_failed"
  | "budget_exceeded";

/** An error that a person may read: its message says what happened, why and what to do. */
export class ZqError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ZqError";
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** A failed model call. `retriable`: the same request may be sent again unchanged. `retryAfterMs` in milliseconds. */
export class ModelError extends ZqError {
  readonly errorType: ErrorType;
  readonly retriable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
  /** The endpoint's own words, keys masked; empty where it gave none, absent where the failure is no refusal. */
  readonly detail?: string;

  constructor(
    errorType: ErrorType,
    message: string,
    details: { retriable: boolean; retryAfterMs?: number; status?: number; detail?: string; cause?: unknown },
  ) {
    super(errorType, message, { cause: details.cause });
    this.name = "ModelError";
    this.errorType = errorType;
    this.retriable = details.retriable;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.status !== undefined) this.status = details.status;
    if (details.detail !== undefined) this.detail = details.detail;
  }
}

export function isZqError(error: unknown): error is ZqError {
  try {
    return typeof error === "object" && error !== null && brand in error;
  } catch {
    return false; // a proxy that does not let itself be looked at
  }
}

export function isModelError(error: unknown): error is ModelError {
  return isZqError(error) && "errorType" in error;
}

/** The sentence of anything thrown. Never throws: what is thrown at us need not even have a string form. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name);
    if (typeof error !== "object" || error === null) return String(error);
    const { message } = error as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : (JSON.stringify(error) ?? String(error));
  } catch {
    return "Something was thrown that says nothing about itself.";
  }
}

/** The `code` of a Node error (`ENOENT`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
