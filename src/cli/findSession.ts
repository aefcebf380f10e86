/** Which past session a command line means, told to the person when it cannot be found. */

import type { SessionMeta } from "../sessions/SessionStore";
import { SessionNotFoundError, SessionStore } from "../sessions/SessionStore";
import type { Settings } from "./settings";
import { usageError } from "./usageError";

/** By id, unique id prefix or name. Throws UsageError. */
export function findSession(settings: Settings, wanted: string): SessionMeta {
  try {
    return new SessionStore(settings.home).find(wanted);
  } catch (error) {
    if (!(error instanceof SessionNotFoundError)) throw error;
    const { candidates } = error;
    if (candidates.length === 0) throw usageError(settings.texts.cli.noSuchSession, { id: wanted });
    const ids = candidates.slice(0, 5).join(", ") + (candidates.length > 5 ? ", …" : "");
    throw usageError(settings.texts.cli.ambiguousSession, { id: wanted, count: candidates.length, ids });
  }
}

/** The newest session of the folder. Throws UsageError when there is none. */
export function newestSession(settings: Settings): SessionMeta {
  const newest = new SessionStore(settings.home).newest(settings.workspace);
  if (!newest) throw usageError(settings.texts.cli.noSessionHere);
  return newest;
}

/** The session that `--session` names, else the newest of the folder. */
export function sessionOf(settings: Settings, wanted: string | undefined): SessionMeta {
  return wanted === undefined ? newestSession(settings) : findSession(settings, wanted);
}
