/** What the disk holds of a session: checkpoint and log, or the log alone. */

import { type Message, restoreSession, type SavedState } from "../index";
import { ZqError } from "../shared/errors";
import type { SessionStore } from "./SessionStore";

/** Damage that could be got over is told among the warnings. Throws when no conversation can be read. */
export function readState(id: string, folder: string): { state: SavedState; warnings: string[] } {
  const { state, warnings } = restoreSession(id, folder);
  if (state) return { state, warnings };
  throw new ZqError(
    "session_unreadable",
    `Session ${id} cannot be read: neither its checkpoint nor its log holds a conversation.`,
  );
}

/** The conversation of a past session, read without opening it. Throws as `readState` does. */
export function readConversation(store: SessionStore, id: string): Message[] {
  return readState(id, store.folderOf(id)).state.messages;
}
