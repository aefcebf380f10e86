/** Server-sent events, read by the byte as the HTML standard says: CR, LF or CRLF, comments, BOM, several data lines. */

import { StringDecoder } from "node:string_decoder";

export interface SseEvent {
  /** The event's name; empty where the server gave none. */
  name: string;
  data: string;
}

/** Feed it bytes as they come, in pieces of any size; it gives the events that are complete. */
export class SseParser {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #isFirst = true;
  #name = "";
  #data: string[] = [];
  /** A CR ended the last piece: an LF at the start of the next one belongs to it. */
  #afterReturn = false;

  push(bytes: Buffer): SseEvent[] {
    return this.#take(this.#decoder.write(bytes));
  }

  /** The stream is over. An event without its blank line counts all the same: servers forget the last one. */
  end(): SseEvent[] {
    return this.#take(`${this.#decoder.end()}\n\n`);
  }

  #take(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    for (const line of this.#lines(text)) {
      const event = line === "" ? this.#dispatch() : this.#field(line);
      if (event) events.push(event);
    }
    return events;
  }

  *#lines(text: string): Generator<string> {
    if (text === "") return;
    let fresh = this.#isFirst ? text.replace(/^\uFEFF/, "") : text;
    this.#isFirst = false;
    if (this.#afterReturn && fresh.startsWith("\n")) fresh = fresh.slice(1);
    this.#afterReturn = text.endsWith("\r");
    // Only the last line can be unfinished, so what was held back is never searched twice.
    const lines = fresh.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = lines.pop() ?? "";
    yield* lines;
  }

  #field(line: string): undefined {
    // Errors come as they are when the part of a server that frames events is not the one that fails.
    if (line.startsWith("{")) this.#data.push(line);
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data" || field === "error") this.#data.push(value);
    if (field === "event") this.#name = value;
    else if (field === "error") this.#name = field;
    return undefined;
  }

  #dispatch(): SseEvent | undefined {
    const event = { name: this.#name, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    return isEmpty ? undefined : event;
  }
}
