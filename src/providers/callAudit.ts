/** What one model call writes into the audit log: each request as it was sent, each answer as it was understood. */

import type { StreamOpts } from "../shared/contracts";
import { messageOf } from "../shared/errors";
import type { StreamChunk } from "../shared/messages";
import type { AuditLog } from "./auditLog";
import type { HttpAnswer } from "./http";
import type { Body } from "./modelCall";

export class CallAudit {
  readonly #log: AuditLog;
  readonly #opts: StreamOpts;
  #answer: Body = {};
  #text = "";
  #reasoning = "";

  constructor(log: AuditLog, opts: StreamOpts) {
    this.#log = log;
    this.#opts = opts;
  }

  request(attempt: number, path: string, body: Body): void {
    this.#answer = {};
    this.#text = "";
    this.#reasoning = "";
    this.#write(attempt, "request", { path, body: withoutMedia(body) });
  }

  answer({ status, url, headers }: HttpAnswer): void {
    this.#answer = { status, url, headers };
  }

  chunk(chunk: StreamChunk): void {
    this.#text += chunk.content ?? "";
    this.#reasoning += chunk.reasoning ?? "";
    const { toolCalls, usage, finishReason } = chunk;
    if (finishReason !== null || toolCalls !== null) Object.assign(this.#answer, { toolCalls, usage, finishReason });
  }

  done(attempt: number, failure?: unknown): void {
    const error = failure === undefined ? {} : { error: messageOf(failure) };
    this.#write(attempt, "response", { ...this.#answer, text: this.#text, reasoning: this.#reasoning, ...error });
  }

  #write(attempt: number, kind: "request" | "response", data: Body): void {
    const { reqId, logTime } = this.#opts;
    this.#log.write({ reqId, attempt, kind, logTime, data });
  }
}

/** Pictures and sound are named by their size: their bytes are in the session's folder. */
function withoutMedia(body: Body): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (typeof value !== "string" || value.length < 512) return value;
      const isMedia = value.startsWith("data:") || key === "data";
      return isMedia ? `${value.slice(0, 32)}… (${value.length} characters)` : value;
    }),
  );
}
