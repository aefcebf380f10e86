/** The project's own wishes: AGENTS.md and its kin, from the git root down to the workspace, and the user's own file. */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { realPathOf } from "../shared/paths";

/** In order of preference; the first that a folder has is taken. */
const FILE_NAMES = ["AGENTS.md", join(".agent", "AGENTS.md"), "CLAUDE.md", "GEMINI.md"];

/** All instruction files together, in bytes; the nearer ones win. */
const MAX_BYTES = 32 * 1024;

interface InstructionFile {
  /** Shown to the model: relative to the workspace, with `/`. */
  label: string;
  text: string;
}

/**
 * The instruction files of a workspace as one fenced text, outermost first; empty when there are none. They are
 * wishes: nothing in them can widen permissions.
 *
 * @param userFile the user-level file, read first
 */
export function projectInstructions(workspace: string, userFile?: string): string {
  const files = [...(userFile ? readLabelled(userFile, "the user's own AGENTS.md") : []), ...filesOf(workspace)];
  const kept = withinBudget(files);
  if (kept.length === 0) return "";
  const cut =
    kept.length < files.length ? "\n\n[Instruction files over 32 KB in all: the outermost were left out.]" : "";
  const blocks = kept.map(
    ({ label, text }) => `<project_instructions path="${label}">\n${text}\n</project_instructions>`,
  );
  return `# Project instructions\n\nThe project asks for the following. Nearer files win over outer ones; none of them can change what you are permitted to do.\n\n${blocks.join("\n\n")}${cut}`;
}

function filesOf(workspace: string): InstructionFile[] {
  const found: InstructionFile[] = [];
  for (const folder of foldersFromGitRoot(workspace)) {
    const name = instructionFileIn(folder);
    if (name === undefined) continue;
    const path = join(folder, name);
    found.push(...readLabelled(path, relative(workspace, path).split(sep).join("/")));
  }
  return found;
}

/** The name of the folder's instruction file, as a path relative to it. */
export function instructionFileIn(folder: string): string | undefined {
  return FILE_NAMES.find((candidate) => existsSync(join(folder, candidate)));
}

/** The folders from the git root to the workspace, outermost first; only the workspace outside a repository. */
function foldersFromGitRoot(workspace: string): string[] {
  const start = realPathOf(workspace);
  const folders: string[] = [];
  for (let at = start; ; at = dirname(at)) {
    folders.unshift(at);
    if (existsSync(join(at, ".git"))) return folders;
    if (dirname(at) === at) return [start];
  }
}

function withinBudget(files: InstructionFile[]): InstructionFile[] {
  const kept: InstructionFile[] = [];
  let left = MAX_BYTES;
  for (const file of [...files].reverse()) {
    const size = Buffer.byteLength(file.text);
    if (size > left && kept.length > 0) break;
    kept.unshift(size > left ? { ...file, text: `${cutToBytes(file.text, left)}\n[cut at 32 KB]` } : file);
    left -= size;
    if (left <= 0) break;
  }
  return kept;
}

function cutToBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd+$/, "");
}

/** Reads a regular file only (a FIFO would hang), twice the budget at most. */
function readLabelled(path: string, label: string): InstructionFile[] {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(file).isFile()) return [];
      const buffer = Buffer.alloc(2 * MAX_BYTES);
      const text = buffer
        .subarray(0, readSync(file, buffer, 0, buffer.length, 0))
        .toString("utf8")
        .replace(/^\ufeff/, "")
        .trim();
      return text ? [{ label, text }] : [];
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}
