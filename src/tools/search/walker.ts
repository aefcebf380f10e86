/** Searches without ripgrep: our own walk and JavaScript's regular expressions, with the same answers. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { walkFolders } from "../walk";
import { throwIfExhausted } from "../walk/exhaustion";
import { decodeSearched } from "./decode";
import { findHits } from "./matching";
import type { FileHits, InvalidPattern, SearchQuery, SearchResult } from "./query";
import { compileRustRegex } from "./rustRegex";
import { createTimeLimit, type TimeLimit } from "./timeLimit";

const MAX_FILE_BYTES = 5 * 1024 * 1024;
const FILES_AT_ONCE = 50;
const MAX_MS = 20_000;
/** How long one batch of files may keep the process busy: JavaScript's engine can be led into endless backtracking. */
const MAX_BATCH_MS = 2000;

/** Searches file by file, yielding in between. Never rejects for what lies in the files. */
export async function searchByWalking(query: SearchQuery): Promise<SearchResult | InvalidPattern> {
  const regex = compileRustRegex(query.pattern, query);
  if ("invalid" in regex) return regex;
  const search = new Search(query, regex);
  for await (const batch of batches(query)) {
    if (query.signal?.aborted || !search.run(batch)) break;
  }
  return search.result();
}

class Search {
  private readonly files: FileHits[] = [];
  private readonly notes: string[] = [];
  private readonly withinTime: TimeLimit;
  private readonly started = Date.now();
  private total = 0;
  private tooLarge = 0;
  private current = "";

  constructor(
    private readonly query: SearchQuery,
    private readonly regex: RegExp,
  ) {
    this.withinTime = createTimeLimit(query.isLiteral ? "" : query.pattern);
  }

  /** Searches one batch. False: stop here. */
  run(batch: string[]): boolean {
    const longest = this.query.maxMs ?? MAX_MS;
    const left = longest - (Date.now() - this.started);
    if (left <= 0) return this.stop(`[stopped after ${longest / 1000} s]`);
    const isDone = this.withinTime(Math.min(left, MAX_BATCH_MS), () => {
      for (const path of batch) this.searchFile(path);
    });
    if (!isDone) return this.stop(`[stopped: the pattern takes too long on ${this.current}]`);
    return this.total <= this.query.ceiling;
  }

  result(): SearchResult {
    if (this.tooLarge > 0) {
      this.notes.push(`[${this.tooLarge} file${this.tooLarge === 1 ? "" : "s"} over 5 MB not searched]`);
    }
    return { files: this.files, isPartial: this.total > this.query.ceiling, notes: this.notes };
  }

  private searchFile(path: string): void {
    if (this.total > this.query.ceiling) return;
    this.current = path;
    const bytes = this.read(path);
    const text = bytes && decodeSearched(bytes, this.query.multiline);
    if (text === undefined) return;
    const hits = findHits(text, this.regex, this.query);
    if (hits.length === 0) return;
    this.files.push({ path, count: hits.length, hits: this.query.mode === "content" ? hits : [] });
    this.total += this.query.mode === "content" ? hits.length : 1;
  }

  private read(path: string): Buffer | undefined {
    const content = readSmallFile(join(this.query.folder, path));
    if (content === "too large") this.tooLarge += 1;
    return typeof content === "string" ? undefined : content;
  }

  private stop(note: string): false {
    this.notes.push(note);
    return false;
  }
}

async function* batches(query: SearchQuery): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const path of query.file === undefined ? filesInOrder(query) : [query.file]) {
    batch.push(path);
    if (batch.length < FILES_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Files and folders of one level by name together, which is the order of a sorted listing of paths. */
async function* filesInOrder(query: SearchQuery): AsyncGenerator<string> {
  const open: { path: string; files: string[] }[] = [];
  for await (const { path, files } of walkFolders(query.folder, query)) {
    for (const left of filesBefore(path, open)) yield left;
    const inside = files.flatMap(({ name, isRegular }) => (isRegular ? [path ? `${path}/${name}` : name] : []));
    open.push({ path, files: inside.filter(query.accepts) });
  }
  for (const { files } of open.reverse()) yield* files;
}

/** What is due before the walk goes into `path`: all of the folders left behind, and the parent's smaller names. */
function* filesBefore(path: string, open: { path: string; files: string[] }[]): Generator<string> {
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const isParent = top.path === "" || path.startsWith(`${top.path}/`);
    const due = isParent ? top.files.findIndex((file) => file > path) : -1;
    yield* top.files.splice(0, due < 0 ? top.files.length : due);
    if (isParent) return;
    open.pop();
  }
}

/** Small files are read at once: a round trip to the thread pool costs more than the read. */
function readSmallFile(path: string): Buffer | "too large" | "unreadable" {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return "unreadable";
    if (stats.size > MAX_FILE_BYTES) return "too large";
    const bytes = Buffer.allocUnsafe(stats.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } catch (error) {
    throwIfExhausted(error, path);
    return "unreadable";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
