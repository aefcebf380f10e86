/** The conversation of a past session, read without opening it. */

import { FileLogHook, type Message, type SavedState } from "../index";
import { ZqError } from "../shared/errors";
import type { SessionStore } from "./SessionStore";

/** Checkpoint plus log, or the log alone when the checkpoint cannot be read. Throws when neither can. */
export function readState(store: SessionStore, id: string): SavedState {
  const folder = store.folderOf(id);
  const state = FileLogHook.loadState(id, folder) ?? FileLogHook.rebuild(id, folder);
  if (!state)
    throw new ZqError("session_unreadable", `Session ${id} cannot be read: neither its checkpoint nor its log.`);
  return state;
}

export async function readConversation(store: SessionStore, id: string): Promise<Message[]> {
  return readState(store, id).messages;
}
