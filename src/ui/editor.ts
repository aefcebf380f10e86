/** The person's own editor on temporary files: what it leaves in them is the answer. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parentEnvironment } from "../shared/childEnvironment";

export interface EditedFile {
  /** Only its last part is used, so that the editor knows the language. */
  path: string;
  text: string;
}

/**
 * Opens all files at once and waits. The terminal must have been lent. Null when the editor could not be run or ended with
 * an error: then nothing it wrote counts.
 */
export async function editFiles(files: readonly EditedFile[]): Promise<string[] | null> {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-edit-"));
  try {
    const paths = files.map((file, index) => writeCopy(join(folder, String(index)), file));
    const isDone = await runEditor(paths);
    return isDone ? paths.map((path) => readFileSync(path, "utf8")) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeCopy(folder: string, { path, text }: EditedFile): string {
  mkdirSync(folder, { mode: 0o700 });
  const copy = join(folder, basename(path).replace(/[^\p{L}\p{N}._-]/gu, "_") || "text");
  writeFileSync(copy, text, { mode: 0o600 });
  return copy;
}

/**
 * VISUAL and EDITOR may hold options, so the shell reads them; paths are handed over as arguments and never read by it.
 * Not synchronous: a turn may run meanwhile.
 */
function runEditor(paths: readonly string[]): Promise<boolean> {
  const env = parentEnvironment();
  const isWindows = process.platform === "win32";
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim() || (isWindows ? "notepad" : "vi");
  const child = isWindows
    ? spawn(editor, [...paths], { stdio: "inherit", env, shell: true })
    : spawn("/bin/sh", ["-c", `${editor} "$@"`, "sh", ...paths], { stdio: "inherit", env });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}
