/** Whether there is colour, decided once, and what each colour is for: sixteen colours and dim, readable on dark and light. */

import type { Environment } from "../shared/env";

export type ColorFlag = "auto" | "always" | "never";

export interface ColorSituation {
  /** `--color`; `--no-color` is `never`. */
  flag?: ColorFlag;
  env: Environment;
  /** The output is a terminal. */
  isTty: boolean;
}

/** The flag decides, then NO_COLOR, FORCE_COLOR, TERM=dumb, and last the terminal itself (tui rule 32). */
export function resolveColor({ flag, env, isTty }: ColorSituation): boolean {
  if (flag === "always") return true;
  if (flag === "never") return false;
  if (env.NO_COLOR) return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== "0" && force !== "false";
  return env.TERM !== "dumb" && isTty;
}

/** The FORCE_COLOR that every colour library in this process must find, set before any of them is loaded. */
export function forceColorValue(color: boolean): "0" | "1" {
  return color ? "1" : "0";
}

/** What a text is, not how it looks. */
export type Role =
  | "accent"
  | "dim"
  | "good"
  | "bad"
  | "warn"
  | "info"
  | "strong"
  | "emphasis"
  | "strike"
  | "heading"
  | "code"
  | "link"
  | "quote"
  | "keyword"
  | "string"
  | "number"
  | "title"
  | "type"
  | "comment"
  | "added"
  | "removed";

/** SGR on and off of each role. White, black and their bright forms are nowhere: they vanish on one of the backgrounds. */
const codes: Record<Role, readonly [string, string]> = {
  accent: ["36", "39"],
  dim: ["2", "22"],
  good: ["32", "39"],
  bad: ["31", "39"],
  warn: ["33", "39"],
  info: ["34", "39"],
  strong: ["1", "22"],
  emphasis: ["3", "23"],
  strike: ["9", "29"],
  heading: ["1;36", "22;39"],
  code: ["36", "39"],
  link: ["4;34", "24;39"],
  quote: ["2", "22"],
  keyword: ["35", "39"],
  string: ["32", "39"],
  number: ["33", "39"],
  title: ["34", "39"],
  type: ["36", "39"],
  comment: ["2", "22"],
  added: ["32", "39"],
  removed: ["31", "39"],
};

/** Paints a text in a role; a text of several lines is painted line by line. */
export type Paint = (role: Role, text: string) => string;

export function createPaint(color: boolean): Paint {
  return color ? paintRole : (_, text) => text;
}

function paintRole(role: Role, text: string): string {
  const [on, off] = codes[role];
  const wrap = (line: string) => (line === "" ? line : `\u001b[${on}m${line}\u001b[${off}m`);
  return text.includes("\n") ? text.split("\n").map(wrap).join("\n") : wrap(text);
}
