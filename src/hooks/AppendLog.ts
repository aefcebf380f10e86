/** A file that only grows: each line is in it when `append` returns, or waits in memory until the disk takes it. */

import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** How much waits in memory while the disk takes nothing; past it the oldest lines are given up. */
const MAX_BACKLOG_BYTES = 16 << 20;

const LF = 10;

/** Closes the file of a log that nobody holds any more: hosts of many sessions need not think of it. */
const forgotten = new FinalizationRegistry<Handle>((handle) => handle.close());

/** The open file, apart from its owner so that the registry can hold it. */
class Handle {
  fd: number | undefined;
  syncing = false;
  private closing = false;

  close(): void {
    if (this.fd === undefined) return;
    // A sync that runs in the background still needs the number; it closes when it is done.
    if (this.syncing) {
      this.closing = true;
      return;
    }
    const { fd } = this;
    this.fd = undefined;
    closeSync(fd);
  }

  syncDone(): void {
    this.syncing = false;
    if (this.closing) this.close();
  }
}

export class AppendLog {
  private handle = new Handle();
  private backlog: Buffer[] = [];
  private backlogBytes = 0;
  private syncAgain = false;
  private size = 0;
  /** The file ends in the first part of a line, whose rest is first in the backlog. */
  private isCutOff = false;

  /** `onOutcome` hears after each try whether the disk took the lines: the error, or undefined. */
  constructor(
    readonly path: string,
    private readonly onOutcome: (error?: unknown) => void,
  ) {}

  /** Length of the file in bytes, 0 where there is none; lines that wait in memory are not counted. */
  get length(): number {
    return this.handle.fd === undefined ? sizeOf(this.path) : this.size;
  }

  /** Appends one line. Never throws. */
  append(text: string): void {
    this.push(Buffer.from(`${text}\n`));
    this.flush();
  }

  /** Opens the file, making its folder where needed, and gives its number. Throws what the disk throws. */
  open(): number {
    if (this.handle.fd !== undefined) return this.handle.fd;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const fd = openSync(this.path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    this.handle.fd = fd;
    forgotten.register(this, this.handle, this);
    this.size = fstatSync(fd).size;
    tryTo(() => fchmodSync(fd, 0o600));
    if (!this.isCutOff) this.endTornLine(fd);
    return fd;
  }

  /** Asks for the bytes to be put on the platter, without waiting. */
  sync(): void {
    const { handle } = this;
    if (handle.fd === undefined) return;
    if (handle.syncing) {
      this.syncAgain = true;
      return;
    }
    handle.syncing = true;
    fdatasync(handle.fd, (error) => {
      handle.syncDone();
      if (error) this.onOutcome(error);
      if (this.syncAgain) {
        this.syncAgain = false;
        this.sync();
      }
    });
  }

  /** The same, waiting. Throws what the disk throws. */
  syncNow(): void {
    if (this.handle.fd !== undefined) fdatasyncSync(this.handle.fd);
  }

  /** Tries once more to write what waits, and closes the file. A later append opens it again. */
  close(): void {
    if (this.backlog.length > 0) this.flush();
    forgotten.unregister(this);
    this.handle.close();
    this.handle = new Handle();
  }

  private push(line: Buffer): void {
    this.backlog.push(line);
    this.backlogBytes += line.length;
    // The first line may be written in part: what is left of it must follow, so it is never the one given up.
    while (this.backlogBytes > MAX_BACKLOG_BYTES && this.backlog.length > 2) {
      this.backlogBytes -= this.backlog.splice(1, 1)[0]?.length ?? 0;
    }
  }

  private flush(): void {
    try {
      const fd = this.open();
      for (let line = this.backlog[0]; line; line = this.backlog[0]) {
        this.writeLine(fd, line);
        this.backlog.shift();
      }
      this.onOutcome();
    } catch (error) {
      this.onOutcome(error);
    }
  }

  /** On a full disk a write may stop half-way: the rest stays first in the queue. */
  private writeLine(fd: number, line: Buffer): void {
    let done = 0;
    try {
      while (done < line.length) done += writeSync(fd, line, done);
    } finally {
      this.size += done;
      this.backlogBytes -= done;
      this.backlog[0] = line.subarray(done);
      if (done > 0) this.isCutOff = done < line.length;
    }
  }

  /** A line that a crash cut is finished before all else, so that the next one does not grow onto it. */
  private endTornLine(fd: number): void {
    if (this.size === 0) return;
    const last = Buffer.alloc(1);
    readSync(fd, last, 0, 1, this.size - 1);
    if (last[0] === LF) return;
    this.backlog.unshift(Buffer.from([LF]));
    this.backlogBytes += 1;
  }
}

function sizeOf(path: string): number {
  return tryTo(() => statSync(path).size) ?? 0;
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
