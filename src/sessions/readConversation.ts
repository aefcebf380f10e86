/** The conversation of a past session, read without opening it. */

import { type Message, restoreSession } from "../index";
import { ZqError } from "../shared/errors";
import type { SessionStore } from "./SessionStore";

/** Throws when neither checkpoint nor log can be read. */
export function readConversation(store: SessionStore, id: string): Message[] {
  const { state } = restoreSession(id, store.folderOf(id));
  if (state) return state.messages;
  throw new ZqError(
    "session_unreadable",
    `Session ${id} cannot be read: neither its checkpoint nor its log holds a conversation.`,
  );
}
