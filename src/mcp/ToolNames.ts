/** The names under which foreign tools are registered: `mcp__<server>__<tool>`, harmless, short, and the same every time. */

import { createHash } from "node:crypto";

/** The limit of the endpoints. */
const MAX_NAME = 64;
const MAX_SERVER = 24;
const PREFIX = "mcp__";

/** Remembers whose each name is, so that a tool keeps its name over reconnects and nobody takes another's. */
export class ToolNames {
  private readonly byTool = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** The name of a server's tool. `isForeign`: a name that somebody else has registered already. */
  nameOf(server: string, tool: string, isForeign: (name: string) => boolean = () => false): string {
    const key = `${server}\0${tool}`;
    const known = this.byTool.get(key);
    if (known !== undefined && !isForeign(known)) return known;
    const plain = buildToolName(server, tool);
    const isFree = (name: string) => !this.taken.has(name) && !isForeign(name);
    const name = isFree(plain) ? plain : withMark(plain, digest(key));
    this.byTool.set(key, name);
    this.taken.add(name);
    return name;
  }
}

/** `mcp__<server>__<tool>` with both parts sanitised and cut to what endpoints take (guide 15.3). */
export function buildToolName(server: string, tool: string): string {
  const head = `${PREFIX}${part(server, MAX_SERVER, true)}__`;
  return head + part(tool, MAX_NAME - head.length, false);
}

/** A part that was cut, or of which nothing is left, carries a mark of the whole, so that two such parts differ. */
function part(text: string, longest: number, isServer: boolean): string {
  let clean = text.normalize("NFKC").replace(/[^A-Za-z0-9_-]/g, "_");
  // Two low lines end the server's part: it must hold none itself.
  if (isServer) clean = clean.replace(/_{2,}/g, "_").replace(/^_+|_+$/g, "");
  if (!/[A-Za-z0-9]/.test(clean)) return `${isServer ? "server" : "tool"}_${digest(text)}`;
  return clean.length <= longest ? clean : withMark(clean, digest(text), longest);
}

function withMark(text: string, mark: string, longest = MAX_NAME): string {
  return `${text.slice(0, longest - mark.length - 1)}_${mark}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}
