/** What is printed once, above the live region, and never changes again. */

import type { Block } from "../../render/markdown/blocks";
import type { ErrorFacts } from "../../shared/errorSentence";
import type { Card } from "./cards";
import type { TextKey } from "./texts";

export type Tone = "plain" | "good" | "warn" | "bad";

export type Item =
  | { kind: "banner"; version: string; workspace: string }
  | { kind: "user"; text: string }
  /** A whole text in Markdown. */
  | { kind: "markdown"; text: string }
  /** A finished block of a streamed answer; `isFirst` of its message. */
  | { kind: "block"; block: Block; isFirst: boolean }
  | { kind: "card"; card: Card }
  /** A sentence of ours; `detail` is foreign text that is shown after it. */
  | { kind: "notice"; tone: Tone; text: TextKey; values?: Record<string, string | number>; detail?: string }
  /** How a call of the model failed: what happened, what to do, what the endpoint said. */
  | { kind: "failure"; data: ErrorFacts }
  /** What the model thought, folded into one row or whole. `seconds` is absent where it is not known any more. */
  | { kind: "thought"; text: string; seconds?: number; isWhole?: true }
  | { kind: "diff"; text: string }
  /** A whole tool result. */
  | { kind: "result"; card: Card; text: string }
  /** What can be typed, and what it does. */
  | { kind: "table"; title: TextKey; rows: readonly (readonly [left: string, right: string])[] };
