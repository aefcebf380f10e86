/** The folder of past sessions, `~/.zqagent/sessions`: finding, listing, and what is known of each without reading it. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf, ZqError } from "../shared/errors";
import { writeFileAtomicSync } from "../shared/files";
import { realPathOf } from "../shared/paths";
import { isSessionId } from "./sessionId";

/** `meta.json` of a session: serves `-c`, the picker and `sessions list`; can be rebuilt from the log. */
export interface SessionMeta {
  id: string;
  workspace: string;
  /** ISO times. */
  created: string;
  updated: string;
  name?: string;
  nameSource?: "auto" | "user";
  firstPrompt?: string;
  /** Prompts so far. */
  turns: number;
  model?: string;
}

/** No session fits, or more than one does (`candidates`). */
export class SessionNotFoundError extends ZqError {
  readonly candidates: string[];

  constructor(wanted: string, candidates: string[]) {
    super(
      "session_not_found",
      candidates.length ? `"${wanted}" fits ${candidates.length} sessions.` : `There is no session "${wanted}".`,
    );
    this.name = "SessionNotFoundError";
    this.candidates = candidates;
  }
}

export class SessionStore {
  readonly folder: string;

  /** @param home the folder that is `~/.zqagent` by default */
  constructor(home: string) {
    this.folder = join(home, "sessions");
  }

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** Makes the folder of a new session, readable by its owner alone. */
  create(id: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const folder = this.folderOf(id);
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
    return folder;
  }

  writeMeta(meta: SessionMeta): void {
    writeFileAtomicSync(join(this.folderOf(meta.id), "meta.json"), `${JSON.stringify(meta, null, 2)}\n`, 0o600);
  }

  /** What is known of a session; from the log's own facts where `meta.json` is missing or broken. */
  meta(id: string): SessionMeta | null {
    return this.readMeta(id) ?? this.guessMeta(id);
  }

  /** All sessions, newest first; only those of a workspace when one is given. */
  list(workspace?: string): SessionMeta[] {
    const wanted = workspace === undefined ? undefined : realPathOf(workspace);
    return this.ids()
      .map((id) => this.meta(id))
      .filter((meta): meta is SessionMeta => meta !== null)
      .filter((meta) => wanted === undefined || realPathOf(meta.workspace) === wanted)
      .sort((a, b) => b.updated.localeCompare(a.updated));
  }

  newest(workspace: string): SessionMeta | null {
    return this.list(workspace)[0] ?? null;
  }

  /** By id, by unique id prefix, or by name. Throws SessionNotFoundError. */
  find(wanted: string): SessionMeta {
    const ids = this.ids();
    const byId = ids.includes(wanted) ? [wanted] : ids.filter((id) => wanted !== "" && id.startsWith(wanted));
    const found = byId.length > 0 ? byId : ids.filter((id) => this.readMeta(id)?.name === wanted);
    const [id] = found;
    const meta = found.length === 1 && id !== undefined ? this.meta(id) : null;
    if (!meta) throw new SessionNotFoundError(wanted, found);
    return meta;
  }

  private ids(): string[] {
    try {
      return readdirSync(this.folder).filter(isSessionId);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  private readMeta(id: string): SessionMeta | null {
    try {
      const meta = JSON.parse(readFileSync(join(this.folderOf(id), "meta.json"), "utf8")) as SessionMeta;
      return typeof meta.workspace === "string" && typeof meta.updated === "string" ? { ...meta, id } : null;
    } catch {
      return null;
    }
  }

  /** Without `meta.json`: the log's first lines name the workspace (`session_started`) and the first prompt. */
  private guessMeta(id: string): SessionMeta | null {
    const log = join(this.folderOf(id), `${id}.jsonl`);
    try {
      const stat = statSync(log);
      const records = readFileSync(log, "utf8").split("\n").map(parseRecord);
      const started = records.find((record) => record?.type === "session_started")?.data;
      if (typeof started?.workspace !== "string") return null;
      const prompts = records.filter((record) => record?.type === "turn_start");
      return {
        id,
        workspace: started.workspace,
        created: stat.birthtime.toISOString(),
        updated: stat.mtime.toISOString(),
        firstPrompt: String(prompts[0]?.data.input ?? ""),
        turns: prompts.length,
      };
    } catch {
      return null;
    }
  }
}

function parseRecord(line: string): { type: string; data: Record<string, unknown> } | null {
  try {
    const value = JSON.parse(line) as { type?: unknown; data?: unknown };
    const fits = typeof value.type === "string" && typeof value.data === "object" && value.data !== null;
    return fits ? (value as { type: string; data: Record<string, unknown> }) : null;
  } catch {
    return null;
  }
}
