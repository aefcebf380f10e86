/** The package as its users get it: packed once a test file, and unpacked into folders that hold nothing else of ours. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";

const execFileAsync = promisify(execFile);

export const ROOT = join(import.meta.dirname, "..", "..");
export const DIST = join(ROOT, "dist");

/** Every public sub-path that the seed names in 3.4. */
export const SUB_PATHS = [
  ...["tools/fs", "tools/shell", "tools/search", "tools/web", "tools/git", "tools/diff", "tools/todo"],
  ...["tools/ask", "tools/plan", "tools/directories", "tools/explore", "tools/media"],
];

/** A folder that has the tarball installed under `name` and nothing else; it goes away with the test file. */
export async function installTarball(...names: string[]): Promise<string> {
  if (!existsSync(join(DIST, "index.d.ts"))) {
    throw new Error("dist has no declarations: it was built with --no-types. Run `node scripts/build.mjs` first.");
  }
  const folder = mkdtempSync(join(tmpdir(), "zqagent-installed-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await execFileAsync("npm", packing, { cwd: ROOT, maxBuffer: 16 << 20 });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  for (const name of names) {
    const place = join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    await execFileAsync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", place]);
  }
  rmSync(join(folder, filename));
  return folder;
}

/** Gives a folder the one package of declarations that a TypeScript user of the library has: Node's. */
export function addNodeTypes(folder: string): void {
  const place = join(folder, "node_modules", "@types", "node");
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", "@types", "node"), place, "dir");
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs node on a program until it ends; a signal's death has the code -1. */
export async function runNode(
  args: string[],
  options: { cwd: string; node?: string; env?: NodeJS.ProcessEnv },
): Promise<Ran> {
  const { cwd, node = process.execPath, env = {} } = options;
  const own = { PATH: process.env.PATH, HOME: process.env.HOME, ZQAGENT_HOME: process.env.ZQAGENT_HOME, ...env };
  try {
    const { stdout, stderr } = await execFileAsync(node, args, { cwd, env: own, timeout: 50_000, maxBuffer: 16 << 20 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : -1, stdout, stderr: stderr || String(error) };
  }
}
