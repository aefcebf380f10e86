/** terminal_list and terminal_read: the host's open terminals, of one project only (guide 7.1). */

import { stripVTControlCharacters } from "node:util";
import listDescription from "../../prompts/tools/terminal_list.md";
import readDescription from "../../prompts/tools/terminal_read.md";
import type { ToolMetadata, ToolResult } from "../shared/contracts";
import type { ToolRegistry } from "./ToolRegistry";
import { onOneLine } from "./text";
import { failed } from "./toolReturns";
import { buildToolSchema } from "./toolSchema";

/** An open terminal as the host describes it. */
export interface TerminalInfo {
  id: string;
  title?: string | undefined;
  cwd?: string | undefined;
  /** The command running in it now. */
  command?: string | undefined;
  /** Milliseconds since its last output. */
  idleMs?: number | undefined;
}

/** The host's terminals. Both methods may be synchronous; both must keep to the project. */
export interface TerminalSource {
  list(projectId: string): TerminalInfo[] | Promise<TerminalInfo[]>;
  /** The last `lines` lines as text; null: no such terminal. */
  read(projectId: string, id: string, lines: number): string | null | Promise<string | null>;
}

export interface TerminalToolOptions {
  terminals: TerminalSource;
  /** The isolation boundary: only terminals of this project can be seen (guide 7.1). */
  projectId: string;
}

const MAX_CHARS = 30_000;

/** Registers terminal_list and terminal_read; not part of `createDefaultEngine`. */
export function registerTerminalTools(registry: ToolRegistry, options: TerminalToolOptions): void {
  registry.register(() => listTerminals(options), METADATA, LIST_SCHEMA);
  registry.register((args) => readTerminal(options, args), METADATA, READ_SCHEMA);
}

async function listTerminals({ terminals, projectId }: TerminalToolOptions): Promise<string> {
  const open = await terminals.list(projectId);
  return open.map(line).join("\n") || "No terminals are open.";
}

function line({ id, title, cwd, command, idleMs }: TerminalInfo): string {
  const idle = idleMs === undefined ? undefined : `idle ${Math.round(idleMs / 1000)} s`;
  return [id, title, cwd, command, idle].flatMap((part) => (part ? [onOneLine(part)] : [])).join("  ");
}

async function readTerminal(options: TerminalToolOptions, args: Record<string, unknown>): Promise<string | ToolResult> {
  const { terminals, projectId } = options;
  const id = String(args.terminal_id ?? "");
  // The list is asked first: an id of another project must not depend on how careful `read` is.
  const isKnown = (await terminals.list(projectId)).some((terminal) => terminal.id === id);
  const wanted = typeof args.lines === "number" ? args.lines : 100;
  const text = isKnown ? await terminals.read(projectId, id, wanted) : null;
  return text === null ? failed("No such terminal.") : plainTail(text, wanted) || "(no output)";
}

function plainTail(text: string, lines: number): string {
  const plain = stripVTControlCharacters(text)
    .replace(/\r\n/g, "\n")
    .replace(/^.*\r(?!$)/gm, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  const tail = plain.replace(/\n+$/, "").split("\n").slice(-lines).join("\n");
  return tail.slice(-MAX_CHARS).replace(/^[\uDC00-\uDFFF]/, "");
}

const METADATA: ToolMetadata = {
  category: "terminal",
  riskLevel: "low",
  capabilities: ["read_terminal"],
  requiresApproval: false,
};

const LIST_SCHEMA = buildToolSchema("terminal_list", listDescription, { properties: {} });

const READ_SCHEMA = buildToolSchema("terminal_read", readDescription, {
  required: ["terminal_id"],
  properties: {
    terminal_id: { type: "string", description: "Id from terminal_list." },
    lines: { type: "integer", description: "Number of lines from the end.", default: 100, minimum: 1, maximum: 1000 },
  },
});
