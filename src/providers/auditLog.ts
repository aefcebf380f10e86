/** The audit log (guide 10.1): one file for each request and one for its answer, by date and `reqId`. Never harms the call. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { maskKey } from "./classify";

export interface AuditEntry {
  reqId: string;
  /** Counts the requests of one call: refused ones are sent again in another form. */
  attempt: number;
  kind: "request" | "response";
  /** ISO time of the call. */
  logTime: string;
  data: Record<string, unknown>;
}

export class AuditLog {
  readonly #dir: string;
  readonly #key: string;
  /** One write after the other, so that a host that waits for `settled` has them all. */
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string, key: string) {
    this.#dir = dir;
    this.#key = key;
  }

  write(entry: AuditEntry): void {
    this.#last = this.#last.then(() => this.#save(entry)).catch(() => undefined);
  }

  get settled(): Promise<void> {
    return this.#last;
  }

  async #save({ reqId, attempt, kind, logTime, data }: AuditEntry): Promise<void> {
    const time = Number.isNaN(Date.parse(logTime)) ? new Date() : new Date(logTime);
    const folder = join(this.#dir, time.toISOString().slice(0, 10));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const suffix = attempt > 1 ? `.${attempt}` : "";
    const text = JSON.stringify({ reqId, logTime, ...data }, null, 2);
    await writeFile(join(folder, `${safeName(reqId)}${suffix}.${kind}.json`), `${maskKey(text, this.#key)}\n`, {
      mode: 0o600,
    });
  }
}

function safeName(reqId: string): string {
  return (
    reqId
      .replace(/[^\w.-]+/g, "_")
      .replace(/^\.+/, "_")
      .slice(0, 120) || "request"
  );
}
