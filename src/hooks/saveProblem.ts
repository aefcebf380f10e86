/** What a person is told when a session cannot be saved. */

import { codeOf, messageOf } from "../shared/errors";

/** Something that keeps the session from being saved; `message` is for a person. */
export interface SaveProblem {
  /** The code of the system (`ENOSPC`, `EROFS`, …), `unknown` where there is none. */
  code: string;
  message: string;
}

const reasons: Record<string, string> = {
  ENOSPC: "disk full",
  EDQUOT: "disk quota used up",
  EROFS: "read-only file system",
  EACCES: "no permission",
  EPERM: "no permission",
};

export function saveProblem(error: unknown, stateDir: string): SaveProblem {
  const code = codeOf(error) ?? "unknown";
  const reason = reasons[code] ?? messageOf(error);
  const outlook = "The conversation goes on; what cannot be written now waits in memory and is tried again.";
  return { code, message: `The session cannot be saved in ${stateDir}: ${reason}. ${outlook}` };
}
