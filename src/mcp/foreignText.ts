/** Text of a foreign server for a prompt or a screen: nothing in it acts or hides, and it has an end. */

import { visibleLine, visibleText } from "../render/sanitize";
import { headOf } from "../tools/text";

/** A description: line ends stay, hidden characters are shown, our own marks lose their meaning. */
export function visibleDescription(text: unknown, longest: number): string {
  if (typeof text !== "string") return "";
  return clip(visibleText(headOf(text, longest * 2).replace(/\r\n?/g, "\n")).trim(), longest).replace(
    /<(\/?)(system-reminder|environment|conversation_summary)\b/gi,
    "<$1 $2",
  );
}

/** A name, an address or an error on one line. */
export function visibleName(text: string, longest = 300): string {
  return clip(visibleLine(headOf(text, longest * 2)), longest);
}

/** True where a text holds nothing that would have to be made visible. */
export function isPlain(text: string): boolean {
  return visibleText(text) === text.replaceAll("\t", "    ");
}

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${headOf(text, longest - 1)}…`;
}
