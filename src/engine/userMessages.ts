/** Messages in the person's role: what was typed, with what the engine puts in front of it. */

import type { ContentPart, Message } from "../shared/messages";
import { attachmentNote, partsOf } from "./attachments";
import type { QueuedText } from "./Steering";

/** A prompt as it enters the history; `media` are the bytes that travel with it in this turn only. */
export function buildPrompt(
  item: QueuedText,
  lead: readonly string[] = [],
): { message: Message; media: ContentPart[] } {
  const attachments = item.attachments ?? [];
  const note = attachmentNote(attachments);
  const content = [...lead, item.text, note].filter((part) => part !== "").join("\n\n");
  const message: Message = { role: "user", content };
  if (item.refs?.length) message.attachments = item.refs;
  return { message, media: partsOf(attachments) };
}

/** What the engine says by itself between two requests. */
export function buildReminder(lines: readonly string[]): Message {
  return { role: "user", content: lines.join("\n"), origin: "reminder" };
}
