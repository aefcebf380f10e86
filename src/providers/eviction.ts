/** Cuts down the largest tool results of a request that is too large in bytes; the history itself stays as it is. */

import { type Message, textOf } from "../shared/messages";

/** The history with results above `limit` characters cut to their head and tail. */
export function evictResults(messages: Message[], limit: number | undefined): Message[] {
  if (limit === undefined) return messages;
  return messages.map((message) => {
    const text = message.role === "tool" ? textOf(message.content) : "";
    return text.length > limit ? { ...message, content: cut(text, limit) } : message;
  });
}

/** A limit under which this history loses at least half of its results; undefined where there is nothing to gain. */
export function evictionLimit(messages: Message[], before: number | undefined): number | undefined {
  const lengths = messages
    .filter((message) => message.role === "tool")
    .map((message) => textOf(message.content).length);
  const longest = Math.min(Math.max(0, ...lengths), before ?? Number.POSITIVE_INFINITY);
  const limit = Math.floor(Math.min(longest / 4, 200_000));
  return limit >= 1_000 ? limit : undefined;
}

function cut(text: string, limit: number): string {
  const head = Math.floor(limit * 0.4);
  const tail = limit - head;
  return `[${text.length} characters, the middle left out: the request was too large]\n${text.slice(0, head)}\n[…]\n${text.slice(-tail)}`;
}
