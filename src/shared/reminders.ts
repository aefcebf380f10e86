/** What the engine says to the model inside user-role messages, and how a screen takes it out again. */

import { type Message, textOf } from "./messages";

/** Wraps a sentence of the engine so that the model can tell it from the person's words. */
export function asReminder(text: string): string {
  return `<system-reminder>${text}</system-reminder>`;
}

/** Blocks that the engine puts in front of a prompt. */
const leadingBlock = /^\s*<(environment|system-reminder)>[\s\S]*?<\/\1>\s*/;

/** The block about machine and folder that stands in front of the first prompt of a session; empty if there is none. */
export function environmentBlock(message: Message): string {
  return /^\s*(<environment>[\s\S]*?<\/environment>)/.exec(textOf(message.content))?.[1] ?? "";
}

/** What the person typed: the text of a user message without the engine's blocks in front of it. */
export function typedText(message: Message): string {
  if (message.origin) return "";
  let text = textOf(message.content);
  while (leadingBlock.test(text)) text = text.replace(leadingBlock, "");
  return text;
}
