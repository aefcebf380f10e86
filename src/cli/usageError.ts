/** Bad usage or configuration: told in one to three lines, exit code 2. */

import { ZqError } from "../shared/errors";
import { fill } from "../shared/locales";

export class UsageError extends ZqError {
  constructor(message: string) {
    super("usage", message);
    this.name = "UsageError";
  }
}

/** A usage error from a text of the tables. */
export function usageError(text: string, values: Record<string, string | number> = {}): UsageError {
  return new UsageError(fill(text, values));
}
