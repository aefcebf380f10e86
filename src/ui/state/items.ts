/** What is printed once, above the live region, and never changes again. */

import type { TextKey } from "./texts";
import type { Card } from "./cards";

export type Tone = "plain" | "good" | "warn" | "bad";

export type Item =
  | { kind: "banner"; version: string; workspace: string }
  | { kind: "user"; text: string }
  /** A finished block of Markdown of an answer, or of a plan. */
  | { kind: "markdown"; text: string }
  | { kind: "card"; card: Card }
  /** A sentence of ours; `detail` is foreign text that is shown after it. */
  | { kind: "notice"; tone: Tone; text: TextKey; values?: Record<string, string | number>; detail?: string }
  | { kind: "diff"; text: string }
  /** A whole tool result. */
  | { kind: "result"; card: Card; text: string }
  /** Rows of our own making, such as the help. */
  | { kind: "lines"; lines: readonly string[] };
