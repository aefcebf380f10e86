/** What one call wants to make of one file, before anything is written. */

import { encodedLength, encodeText } from "../../../shared/encoding";
import type { FileContent } from "../../../shared/files";
import type { Target } from "../../targets";
import { EditRefused } from "../match/refusal";
import { composeSplices } from "../text/composeSplices";
import { applySplices, type Splice, shrinkSplice } from "../text/splices";
import { countLines } from "../text/TextModel";
import { type LoadedText, linesOutside, unitsBefore, widened } from "./textPart";

/** What a draft is based on. A file moved as it is may be of any kind, so its text may be absent. */
export interface DraftSource {
  target: Target;
  content: FileContent;
  text: LoadedText | null;
}

/** True for what was read as one and the same file, however much of its text each of them holds. */
export function isSameFile(one: DraftSource | null, other: DraftSource | null): boolean {
  return one?.content === other?.content;
}

/** A file's planned state. `null` splices: the file shall not be there. */
export class Draft {
  readonly target: Target;
  /** The file as it is on disk; `null`: there is none. */
  readonly original: DraftSource | null;
  /** Where the content comes from: the original, or the file that was moved here. */
  readonly source: DraftSource | null;
  readonly splices: readonly Splice[] | null;
  readonly notes: readonly string[];
  readonly isExecutable?: boolean;
  /** True when every part of the change was found exactly as it was quoted. */
  readonly isExact: boolean;

  constructor(state: {
    target: Target;
    original: DraftSource | null;
    source?: DraftSource | null;
    splices: readonly Splice[] | null;
    notes?: readonly string[];
    isExecutable?: boolean;
    isExact?: boolean;
  }) {
    this.target = state.target;
    this.original = state.original;
    this.source = state.source === undefined ? state.original : state.source;
    this.splices = withoutSecondMark(state.splices, this.source);
    this.notes = state.notes ?? [];
    this.isExact = state.isExact ?? true;
    if (state.isExecutable !== undefined) this.isExecutable = state.isExecutable;
  }

  get exists(): boolean {
    return this.splices !== null;
  }

  /** The source's text as far as it was taken up, without byte order mark. */
  get before(): string {
    return this.source?.text?.decoded.text ?? "";
  }

  /** The planned text, as far as the source was taken up; `null` when the file shall not be there. */
  get after(): string | null {
    return this.splices && applySplices(this.before, this.splices);
  }

  /** Lines of the whole file as planned. */
  get lineCount(): number {
    return countLines(this.after ?? "") + (this.source?.text ? linesOutside(this.source.text) : 0);
  }

  get isMoved(): boolean {
    return this.source !== null && !isSameFile(this.source, this.original);
  }

  /** True when it would leave the disk as it is. */
  get isNoChange(): boolean {
    if (this.splices === null) return this.original === null;
    if (this.original === null || this.isMoved || this.isExecutable !== undefined) return false;
    return !this.hasNewText;
  }

  /** True when the text differs from the source's. */
  get hasNewText(): boolean {
    return (this.splices ?? []).some((splice) => this.before.slice(splice.start, splice.end) !== splice.text);
  }

  /** The same draft with further changes. `later` is meant for the present `after`. */
  edit(later: readonly Splice[], more: { notes?: readonly string[]; isExact?: boolean } = {}): Draft {
    const splices = composeSplices(this.before.length, this.splices ?? [], later);
    const notes = [...this.notes, ...(more.notes ?? [])];
    return new Draft({ ...this, splices, notes, isExact: this.isExact && (more.isExact ?? true) });
  }

  /** The same draft with a whole new text, of which equal ends are left out. */
  replace(text: string): Draft {
    const whole: Splice = { start: 0, end: this.before.length, text };
    return new Draft({ ...this, splices: [shrinkSplice(this.before, whole)] });
  }

  /** The same draft on all of the source's text, for those who need it whole. */
  whole(): Draft {
    const { source } = this;
    if (!source?.text) return this;
    const text = widened(source.text);
    if (text === source.text) return this;
    const shift = unitsBefore(source.text);
    const splices = this.splices?.map((one) => ({ ...one, start: one.start + shift, end: one.end + shift })) ?? null;
    return new Draft({ ...this, splices }).onText(text);
  }

  /** The same draft with the source's text in place of what was known of it. */
  onText(text: LoadedText): Draft {
    if (!this.source) return this;
    const source = { ...this.source, text };
    return new Draft({ ...this, source, original: isSameFile(this.original, this.source) ? source : this.original });
  }

  /** The same draft with the file gone. `isExact`: its content was given and is the same. */
  remove(isExact: boolean): Draft {
    return new Draft({ target: this.target, original: this.original, splices: null, isExact });
  }

  /** The same draft as a person wrote it: it stands for the whole file, so no match makes it exact, and no note holds. */
  asGiven(): Draft {
    return new Draft({ ...this, notes: [], isExact: false });
  }

  withMode(isExecutable: boolean): Draft {
    return new Draft({ ...this, isExecutable });
  }

  /** The bytes to write: untouched ranges are the source's own bytes, only new text is encoded. */
  async chunks(): Promise<Uint8Array[]> {
    const splices = this.splices ?? [];
    const text = this.source?.text;
    if (!text) return this.source ? [this.source.content.bytes] : this.encodeNew(splices);
    return splice(text, splices, this.target.shown);
  }

  private async encodeNew(splices: readonly Splice[]): Promise<Uint8Array[]> {
    const text = splices.map((one) => one.text).join("");
    checkCharacters(text, this.target.shown);
    return [await encodeFor(text, "utf-8", this.target.shown)];
  }
}

/** Text for the beginning of a file that has a byte order mark already brings no second one. */
function withoutSecondMark(splices: Draft["splices"], source: DraftSource | null): Draft["splices"] {
  const [first, ...rest] = splices ?? [];
  if (first?.start !== 0 || !first.text.startsWith("\uFEFF") || !source?.text?.decoded.bomBytes) return splices;
  return [{ ...first, text: first.text.slice(1) }, ...rest];
}

async function splice(source: LoadedText, splices: readonly Splice[], shown: string): Promise<Uint8Array[]> {
  const { bytes, decoded, part } = source;
  const { text, encoding } = decoded;
  if (splices.length > MANY_SPLICES) return wholeNew(source, splices, shown);
  const isAscii = encoding === "utf-8" && part.end - part.start === text.length;
  const chunks: Uint8Array[] = [];
  let [at, byte, written] = [0, part.start, 0];
  for (const one of splices) {
    const start = byte + (isAscii ? one.start - at : await encodedLength(text.slice(at, one.start), encoding));
    const old = isAscii ? one.end - one.start : await encodedLength(text.slice(one.start, one.end), encoding);
    checkNew(source, one.text, shown);
    chunks.push(bytes.subarray(written, start), await encodeFor(one.text, encoding, shown));
    [at, byte, written] = [one.end, start + old, start + old];
  }
  chunks.push(bytes.subarray(written));
  return joined(chunks.filter((chunk) => chunk.length > 0));
}

const MANY_SPLICES = 1_000;

/** For very many places it is quicker to encode the whole text: what decoded from these bytes encodes to them again. */
async function wholeNew(source: LoadedText, splices: readonly Splice[], shown: string): Promise<Uint8Array[]> {
  const { bytes, decoded, part } = source;
  checkNew(source, splices.map((one) => one.text).join(""), shown);
  const body = await encodeFor(applySplices(decoded.text, splices), decoded.encoding, shown);
  return [bytes.subarray(0, part.start), body, bytes.subarray(part.end)];
}

const MANY_CHUNKS = 64;

/** Thousands of small pieces cost more calls than one copy costs time. */
function joined(chunks: Uint8Array[]): Uint8Array[] {
  return chunks.length > MANY_CHUNKS ? [Buffer.concat(chunks)] : chunks;
}

async function encodeFor(text: string, encoding: LoadedText["decoded"]["encoding"], shown: string): Promise<Buffer> {
  try {
    return await encodeText(text, encoding);
  } catch (error) {
    throw new EditRefused(`${shown} cannot take the new text: ${(error as Error).message}`);
  }
}

const UNWRITABLE: [RegExp, string][] = [
  [/\0/, "a NUL character, with which it would be no text any more. A program run by run_shell can write such bytes."],
  [/[\uD800-\uDFFF]/u, "half of a surrogate pair. Send whole characters."],
];

/** What no text file can hold, whatever its encoding: slips of a model's escapes. */
function checkCharacters(text: string, shown: string): void {
  const fault = UNWRITABLE.find(([pattern]) => pattern.test(text));
  if (fault) throw new EditRefused(`${shown} cannot take the new text: it holds ${fault[1]}`);
}

/** Where two encodings fit the file, a character beyond ASCII would be written by a guess. */
function checkNew({ decoded }: LoadedText, text: string, shown: string): void {
  checkCharacters(text, shown);
  if (decoded.candidates.length === 0 || /^[\u0000-\u007f]*$/.test(text)) return;
  throw new EditRefused(
    `${shown} may be in ${decoded.candidates.join(" or ")}; name it with the setting files.encoding or convert it first.`,
  );
}
