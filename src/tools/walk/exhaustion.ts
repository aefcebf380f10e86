/** Tells "this entry cannot be read" from "nothing can be read now", which must never look like an empty answer. */

import { codeOf } from "../../shared/errors";
import { fileError } from "../../shared/fileStamps";

/** Throws `ZqError` when the process or the system has no file descriptors left; other errors are the caller's. */
export function throwIfExhausted(error: unknown, path: string): void {
  const code = codeOf(error);
  if (code === "EMFILE" || code === "ENFILE") throw fileError("read", path, error);
}
