/** Whether there is colour, decided once, and what each colour is for: sixteen colours and dim, readable on dark and light. */

import { Chalk, type ChalkInstance } from "chalk";
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

/** Sixteen colours at most, whatever the terminal could do: the theme is the person's own palette. */
const chalk = new Chalk({ level: 1 });

/** The look of each role. White, black and their bright forms are nowhere: they vanish on one of the backgrounds. */
const looks: Record<Role, ChalkInstance> = {
  accent: chalk.cyan,
  dim: chalk.dim,
  good: chalk.green,
  bad: chalk.red,
  warn: chalk.yellow,
  info: chalk.blue,
  strong: chalk.bold,
  emphasis: chalk.italic,
  strike: chalk.strikethrough,
  heading: chalk.bold.cyan,
  code: chalk.cyan,
  link: chalk.underline.blue,
  quote: chalk.dim,
  keyword: chalk.magenta,
  string: chalk.green,
  number: chalk.yellow,
  title: chalk.blue,
  type: chalk.cyan,
  comment: chalk.dim,
  added: chalk.green,
  removed: chalk.red,
};

/** Paints a text in a role; a text of several lines is painted line by line. */
export type Paint = (role: Role, text: string) => string;

export function createPaint(color: boolean): Paint {
  return color ? (role, text) => looks[role](text) : (_, text) => text;
}
