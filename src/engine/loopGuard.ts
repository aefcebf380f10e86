/** Notices a model that goes in circles: the same calls with the same results, again and again. */

import { createHash } from "node:crypto";

/** Repeats after which the model is told, the call is not run, and the turn ends. */
const TELL_AT = 3;
const STOP_AT = 5;
const END_AT = 8;
/** Circles of up to this many calls are seen. */
const LONGEST_CIRCLE = 3;

const TOLD =
  "[This is the third identical call with an identical result. Do something else, or tell the user what blocks you.]";
const TOLD_EDIT = "Read the file again, or rewrite it with write_file.";
export const STOPPED = `Stopped: identical call repeated ${STOP_AT} times.`;

export type Verdict = "run" | "stop" | "end";

interface Step {
  /** Name and canonical arguments. */
  key: string;
  result: string;
}

export class LoopGuard {
  private readonly steps: Step[] = [];
  private readonly editErrors = new Map<string, number>();

  /** Whether a call may run, if it would give the result that it gave before. Judged before it runs. */
  judge(key: string): Verdict {
    const repeats = this.repeatsWith(key);
    if (repeats >= END_AT) return "end";
    return repeats >= STOP_AT ? "stop" : "run";
  }

  /** Takes note of a result; returns what the model must be told after it, or an empty string. */
  note(key: string, result: string): string {
    this.steps.push({ key, result: digest(result) });
    return this.hasJustGoneRound(TELL_AT) ? TOLD : "";
  }

  /** Takes note of a call that was stopped: it counts as the same once more. */
  noteStopped(key: string): void {
    const before = this.lastWith(key);
    if (before) this.steps.push(before);
  }

  /** Takes note of a failed edit of a file; returns a hint at the third same failure. */
  noteEditError(path: string, error: string): string {
    const key = `${path}\0${digest(error)}`;
    const count = (this.editErrors.get(key) ?? 0) + 1;
    this.editErrors.set(key, count);
    return count === TELL_AT ? TOLD_EDIT : "";
  }

  private repeatsWith(key: string): number {
    const before = this.lastWith(key);
    if (!before) return 0;
    this.steps.push(before);
    const repeats = this.repeats();
    this.steps.pop();
    return repeats;
  }

  private lastWith(key: string): Step | undefined {
    return this.steps.slice(-LONGEST_CIRCLE).findLast((step) => step.key === key);
  }

  /** How often the newest circle has been gone round, for the circle that was gone round most. */
  private repeats(): number {
    let most = 0;
    for (let size = 1; size <= LONGEST_CIRCLE; size += 1) most = Math.max(most, Math.floor(this.run(size) / size));
    return most;
  }

  private hasJustGoneRound(times: number): boolean {
    for (let size = 1; size <= LONGEST_CIRCLE; size += 1) if (this.run(size) === times * size) return true;
    return false;
  }

  /** How many of the newest steps go round in a circle of this size. */
  private run(size: number): number {
    const { steps } = this;
    let same = size;
    while (same < steps.length && isSame(steps.at(-1 - same), steps.at(-1 - same + size))) same += 1;
    return same;
  }
}

function isSame(one: Step | undefined, other: Step | undefined): boolean {
  return one?.key === other?.key && one?.result === other?.result;
}

function digest(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}

/** The same call whatever the order of its arguments. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${canonicalJson(args)}`;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`;
}

const BLOCK = 200;
const ROUNDS = 10;

/** Watches streamed text for a block of up to 200 characters that is repeated over 2,000 characters. */
export class RepeatWatch {
  private tail = "";
  private unseen = "";

  /** True when the text so far ends in such a repetition; looked at every 200 characters. */
  isRepeating(piece: string): boolean {
    this.unseen += piece;
    if (this.unseen.length < BLOCK) return false;
    this.tail = (this.tail + this.unseen).slice(-BLOCK * ROUNDS);
    this.unseen = "";
    return this.tail.length === BLOCK * ROUNDS && this.tail.trim() !== "" && smallestPeriod(this.tail) <= BLOCK;
  }
}

/** The shortest block whose repetition makes the text (the failure function of Knuth, Morris and Pratt). */
function smallestPeriod(text: string): number {
  const border = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    border[at] = length;
  }
  return text.length - length;
}
