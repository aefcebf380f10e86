/** What is kept of a session beside its events (guide 11.3), and what an engine must show so that it can be kept. */

import type { Message } from "../shared/messages";

/** A session's checkpoint (guide 11.3). `savedAt` is an ISO string. */
export interface SavedState {
  sessionId: string;
  model: string;
  messages: Message[];
  compaction: Record<string, unknown> | null;
  savedAt: string;
  name?: string | undefined;
  nameSource?: "auto" | "user" | undefined;
  taskCount?: number | undefined;
  permissionMode?: string | undefined;
  allowTools?: string[] | undefined;
  allowCommands?: string[] | undefined;
}

/** What `saveState` reads of an engine; a `TurnEngine` fits. */
export interface Saveable {
  model: string;
  messages: readonly Message[];
  compactionState?: unknown;
  permissions?: { mode: string; sessionTools: readonly string[]; sessionCommands: readonly string[] } | undefined;
}

/** What only the host knows of its session. */
export type StateMeta = Pick<SavedState, "name" | "nameSource" | "taskCount">;

/** A session's settings: the checkpoint without the conversation. Log lines of the type `session_state` hold them. */
export type SessionSettings = Omit<SavedState, "sessionId" | "messages" | "compaction" | "savedAt">;

export function buildSettings({ model, permissions }: Saveable, meta: StateMeta): SessionSettings {
  if (!permissions) return { model, ...meta };
  return {
    model,
    ...meta,
    permissionMode: permissions.mode,
    allowTools: [...permissions.sessionTools],
    allowCommands: [...permissions.sessionCommands],
  };
}

/**
 * A message as it is kept: the bytes of attachments lie in the session's `attachments/` alone (guide 13), so parts that
 * carry them as data URLs are left out.
 */
export function withoutBytes(message: Message): Message {
  const { content } = message;
  if (!Array.isArray(content) || !content.some(carriesBytes)) return message;
  return { ...message, content: content.filter((part) => !carriesBytes(part)) };
}

function carriesBytes(part: { type: string; image_url?: { url: string }; dataUrl?: string }): boolean {
  return /^data:/i.test(part.image_url?.url ?? part.dataUrl ?? "");
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isMessage(value: unknown): value is Message {
  return isPlainObject(value) && typeof value.role === "string" && "content" in value;
}
