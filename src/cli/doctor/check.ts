/** One line of the doctor: what was looked at, how it stands, and what that means or how it is mended. */

import { plainText } from "../../render/sanitize";
import { padEnd } from "../../render/width";

export interface Check {
  name: string;
  /** `note`: works, but could be better. */
  state: "good" | "note" | "bad";
  text: string;
}

const MARKS: Record<Check["state"], string> = { good: "✓", note: "!", bad: "✗" };
const NAME_WIDTH = 10;

/** Further lines of the text stand beneath its first. */
export function checkRow({ name, state, text }: Check): string {
  const [first = "", ...rest] = plainText(text).split("\n");
  const indent = " ".repeat(NAME_WIDTH + 2);
  return [`${MARKS[state]} ${padEnd(name, NAME_WIDTH)}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
}
