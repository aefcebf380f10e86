/** A server as a child process: JSON lines over its standard input and output, ended as a whole tree. */

import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Environment } from "../shared/env";
import { ZqError } from "../shared/errors";
import { forget, keepTrack } from "../shared/process";
import { MARKER, type ProcessTree, stopTree } from "../shared/processTree";
import { visibleName } from "./foreignText";
import { LineReader } from "./LineReader";

export interface StdioServer {
  /** Absolute path of the program, then its arguments. */
  argv: readonly string[];
  cwd: string;
  /** The whole environment of the child. */
  env: Environment;
}

/** How long a server may take to leave by itself once its input is closed, in milliseconds. */
const LEAVE_MS = 500;
/** How long output is still read after the exit. */
const DRAIN_MS = 300;
const STDERR_TAIL = 2_000;

interface Child {
  pid?: number | undefined;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
}

/** One child, from `start` to `close`; not to be used again. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #server: StdioServer;
  readonly #reader = new LineReader();
  #child: Child | null = null;
  #tree: ProcessTree | null = null;
  #stderr = "";
  #noise = "";
  #end = "";
  #hasExited = false;
  #isClosed = false;

  constructor(server: StdioServer) {
    this.#server = server;
  }

  /** What is known of an unexpected end: exit code, last words on stderr, what stood on stdout instead of messages. */
  get lastWords(): string {
    const said = this.#stderr.trim() || this.#noise.trim();
    return [this.#end, said && `it said: ${visibleName(said.slice(-300))}`].filter(Boolean).join("; ");
  }

  async start(): Promise<void> {
    const { execa } = await import("execa");
    // Closed before it was started: nothing may be started any more.
    if (this.#isClosed) throw new ZqError("mcp_start", "The server was closed before it started.");
    const marker = randomBytes(9).toString("base64url");
    const [file = "", ...args] = this.#server.argv;
    const child = execa(file, args, {
      cwd: this.#server.cwd,
      env: { ...this.#server.env, [MARKER]: marker },
      extendEnv: false,
      // A group of its own: a Ctrl-C meant for us does not end it, and one signal reaches all that it starts.
      detached: process.platform !== "win32",
      stdin: "pipe",
      buffer: false,
      reject: false,
      cleanup: false,
      windowsHide: true,
    });
    const failed = new Promise<Error | undefined>((resolve) => {
      child.once("spawn", () => resolve(undefined));
      child.then(
        (result) => resolve(result instanceof Error ? result : undefined),
        (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))),
      );
    });
    if (child.pid === undefined) throw cannotStart(file, await failed);
    this.#tree = { pid: child.pid, marker };
    keepTrack(this.#tree);
    this.#child = child;
    this.#listen(child);
    await failed;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input || this.#isClosed || !input.writable) throw new Error("The server is not running.");
    if (input.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      input.once("drain", resolve);
      input.once("close", resolve);
    });
  }

  /** Closes the server's input, waits a moment, then ends its whole tree. Never rejects. */
  async close(): Promise<void> {
    const tree = this.#tree;
    this.#tree = null;
    this.#child?.stdin.end();
    if (tree) {
      if (!this.#hasExited) await this.#exit(LEAVE_MS);
      await stopTree(tree);
      forget(tree);
    }
    for (const pipe of [this.#child?.stdout, this.#child?.stderr]) pipe?.destroy();
    this.#finish();
  }

  #exit(longest: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longest);
      this.#child?.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #listen(child: Child): void {
    child.stdin.on("error", (error: Error) => this.onerror?.(error));
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_TAIL);
    });
    child.once("exit", (code, signal) => {
      this.#hasExited = true;
      this.#end ||= signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
      // Whatever it wrote before its end is read first; a child left behind may hold the pipe open for ever.
      setTimeout(() => void this.close(), DRAIN_MS).unref();
    });
    child.stdout.once("close", () => void this.close());
  }

  #read(chunk: Buffer): void {
    for (const line of this.#reader.push(chunk)) {
      const message = parseMessage(line);
      if (message) this.onmessage?.(message);
      else if (line.trim() !== "") this.#noise = (this.#noise + line).slice(-STDERR_TAIL);
    }
    if (!this.#reader.isFlooded) return;
    this.#end ||= `it sent a message of more than ${LineReader.LIMIT_MB} MB`;
    void this.close();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** A line that is no message is noise: many programs greet on standard output. */
function parseMessage(line: string): JSONRPCMessage | null {
  if (!line.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
    return isMessage ? (value as JSONRPCMessage) : null;
  } catch {
    return null;
  }
}

function cannotStart(file: string, error: Error | undefined): ZqError {
  const cause = error?.cause instanceof Error ? error.cause : error;
  return new ZqError("mcp_start", `${file} could not be started: ${cause?.message ?? "the system gave no reason"}`);
}
