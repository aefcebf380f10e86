/** Text of any length in bounded memory: its head and its tail are kept, and all of it goes to a file past that. */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const HEAD_CHARS = 256 * 1024;
const TAIL_CHARS = 768 * 1024;
const FILE_BYTES = 50_000_000;
const WRITE_CHARS = 64 * 1024;

export class KeptText {
  /** Characters received in all. */
  length = 0;
  private head = "";
  private tail: string[] = [];
  private tailLength = 0;
  private fd: number | null = null;
  private written = 0;
  /** Small pieces wait here for each other. */
  private unwritten = "";
  private fileState: "none" | "whole" | "partial" | "failed" = "none";

  /** `file`: where the whole text goes once it outgrows memory; without one the middle is lost. */
  constructor(private readonly file?: string) {}

  append(text: string): void {
    if (text === "") return;
    this.length += text.length;
    if (this.fd !== null) this.write(text);
    const room = HEAD_CHARS - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.tail.push(rest);
    this.tailLength += rest.length;
    if (this.tailLength > TAIL_CHARS) this.dropOldest();
  }

  /** True when the middle is no longer in memory. */
  get isCut(): boolean {
    return this.length > this.head.length + this.tailLength;
  }

  /** Where the text lies on disk; `whole` is false past 50 MB. Null when it is not there. */
  get saved(): { file: string; whole: boolean } | null {
    this.flush();
    if (this.file === undefined || this.fileState === "none" || this.fileState === "failed") return null;
    return { file: this.file, whole: this.fileState === "whole" };
  }

  /** The text from a position on, and how many characters before it are gone from memory. */
  from(position: number): { text: string; lost: number } {
    const tailStart = this.length - this.tailLength;
    const tail = this.tail.join("");
    if (position >= tailStart) return { text: tail.slice(position - tailStart), lost: 0 };
    const head = this.head.slice(position);
    return { text: head + tail, lost: tailStart - Math.max(this.head.length, position) };
  }

  /** The first `head` and the last `tail` characters; the text must be longer than both. */
  ends(head: number, tail: number): [string, string] {
    return [this.head.slice(0, head), this.from(Math.max(0, this.length - tail)).text.slice(-tail)];
  }

  close(): void {
    this.flush();
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }

  private dropOldest(): void {
    if (this.fileState === "none") this.openFile();
    const all = this.tail.join("").slice(-TAIL_CHARS / 2);
    this.tail = [all];
    this.tailLength = all.length;
  }

  private openFile(): void {
    this.fileState = "failed";
    if (this.file === undefined) return;
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      this.fd = openSync(this.file, "wx", 0o600);
      this.fileState = "whole";
    } catch {
      return;
    }
    this.write(this.head);
    for (const piece of this.tail) this.write(piece);
  }

  private write(text: string): void {
    this.unwritten += text;
    if (this.unwritten.length >= WRITE_CHARS) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.from(this.unwritten);
    this.unwritten = "";
    if (this.fd === null || bytes.length === 0) return;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
      this.written += bytes.length;
    } catch {
      // Disk full: what is there stays, and the result does not claim more.
      this.written = FILE_BYTES;
    }
    if (this.written < FILE_BYTES) return;
    this.fileState = "partial";
    closeSync(this.fd);
    this.fd = null;
  }
}
