/** Opens the session that a command line asks for, with the settings turned into its options. */

import { Session } from "../sessions/Session";
import { SessionHeldError } from "../sessions/sessionLock";
import type { Settings } from "./settings";
import { usageError } from "./usageError";

/** Which session a run is about. */
export type Choice = { kind: "new" } | { kind: "resume"; id: string };

/** Throws UsageError when the session is open elsewhere. */
export async function openSession(settings: Settings, choice: Choice): Promise<Session> {
  const { texts, verbose: _verbose, ...options } = settings;
  try {
    return await Session.open({ ...options, ...(choice.kind === "resume" ? { resume: choice.id } : {}) });
  } catch (error) {
    if (!(error instanceof SessionHeldError)) throw error;
    const { pid, since } = error.holder;
    const id = choice.kind === "resume" ? choice.id : "";
    throw usageError(texts.cli.sessionHeld, { id, pid, since: since.slice(0, 19).replace("T", " ") });
  }
}
