/** The streams that Ink is given instead of the real ones: an input that says nothing, an output that resizes when the drag is over. */

import { Readable, Writable } from "node:stream";

/** Ink asks for raw mode and listens; the terminal's modes and keys are none of its business (tui rule 16). */
export type InkInput = Readable & NodeJS.ReadStream;
export type InkOutput = Writable & NodeJS.WriteStream;

/** An input that claims to be a terminal in raw mode, so that Ink asks for nothing more. */
export function createInkInput(): InkInput {
  const stream = new Readable({ read() {} });
  const stub = Object.assign(stream, {
    isTTY: true as const,
    isRaw: true,
    setRawMode: () => stub,
    ref: () => stub,
    unref: () => stub,
  });
  return stub as unknown as InkInput;
}

/** What the output needs of the terminal: where it writes, and its size once settled. */
export interface InkOutputSource {
  write(text: string): boolean;
  readonly columns: number;
  readonly rows: number;
  onResize(callback: () => void): () => void;
}

/** A terminal stream that writes through its source, in the same tick, and reports the source's size. */
export function createInkOutput(source: InkOutputSource): InkOutput {
  const stream = new Writable({ decodeStrings: false });
  // Ink's frames must reach the terminal in the same tick, also at exit: no buffering in between.
  stream.write = ((chunk: unknown, encoding?: unknown, callback?: unknown) => {
    const isWritten = source.write(typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString());
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") process.nextTick(done as () => void);
    return isWritten;
  }) as Writable["write"];
  Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => source.columns },
    rows: { get: () => source.rows },
  });
  source.onResize(() => stream.emit("resize"));
  return stream as unknown as InkOutput;
}
