/** What confines the commands of a workspace: chosen once from the options and the machine, without starting anything. */

import { realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parentEnvironment } from "../shared/childEnvironment";
import { ZqError } from "../shared/errors";
import { realPathOf } from "../shared/paths";
import { findProgram } from "../shared/programs";

export type SandboxMode = "auto" | "off" | "required";

/** Options of the sandbox (guide 8.4). */
export interface SandboxOptions {
  /** `auto` (default) confines where it can; `required` fails where it cannot. */
  mode?: SandboxMode | undefined;
  /** Folders beside the workspace that commands may write; `~/` is the home folder. */
  extraWritable?: string[] | undefined;
  /** Default true: only writes are confined. False: commands have no network. */
  network?: boolean | undefined;
  /** Addition: places that stay read-only although they lie in a writable folder (the host's own settings). */
  readOnly?: string[] | undefined;
}

/** How commands of one workspace are confined. Plain data; all paths are absolute, links resolved. */
export interface SandboxPlan {
  mode: SandboxMode;
  method: "bwrap" | "sandbox-exec" | "none";
  /** The program that confines; empty without a method. */
  program: string;
  /** Why there is no method. */
  obstacle?: string;
  workspace: string;
  /** What may be written beside the workspace and the temporary folder. */
  extraWritable: string[];
  readOnly: string[];
  network: boolean;
  /** The temporary folders of the machine. */
  tempFolders: string[];
  /** The folder that stands in for them; null: an empty one for each command. */
  sessionTemp: string | null;
  /** What stays to be seen although it lies in a temporary folder. */
  visible: string[];
  /** Old versions of bwrap lack the option that forbids nested user namespaces; without it they get no rights either. */
  forbidNesting: boolean;
}

/** Throws ZqError that names the option when one is wrong. */
export function buildPlan(options: SandboxOptions, workspace: string): SandboxPlan {
  checkOptions(options);
  const mode = options.mode ?? "auto";
  return {
    mode,
    ...(mode === "off" ? { method: "none", program: "", obstacle: "it is switched off" } : methodOf(workspace)),
    workspace: realPathOf(workspace),
    extraWritable: (options.extraWritable ?? []).map((path) => writablePath(path, workspace)),
    readOnly: (options.readOnly ?? []).map(realPathOf),
    network: options.network ?? true,
    tempFolders: tempFolders(),
    sessionTemp: null,
    visible: visiblePlaces(),
    forbidNesting: true,
  };
}

/** What confines on this platform, or why nothing does. */
function methodOf(workspace: string): Pick<SandboxPlan, "method" | "program" | "obstacle"> {
  const none = (obstacle: string) => ({ method: "none" as const, program: "", obstacle });
  const search = { env: parentEnvironment(), outside: workspace };
  if (process.platform === "darwin") {
    const program = findProgram("sandbox-exec", search);
    return program ? { method: "sandbox-exec", program } : none("sandbox-exec was not found on PATH");
  }
  if (process.platform !== "linux") return none(`there is no sandbox for commands on ${process.platform}`);
  const program = findProgram("bwrap", search);
  return program
    ? { method: "bwrap", program }
    : none("bwrap was not found on PATH (its package is called bubblewrap)");
}

function writablePath(path: string, workspace: string): string {
  const place = realPathOf(
    resolve(
      workspace,
      path.replace(/^~(?=$|[/\\])/, () => homedir()),
    ),
  );
  if (resolve(place, "..") !== place) return place;
  throw wrong("extraWritable", `must not hold ${path}: nothing would be confined`);
}

/** The one that the environment names, and the one that programs take without asking. */
function tempFolders(): string[] {
  const named = [tmpdir(), ...(process.platform === "win32" ? [] : ["/tmp"])];
  return [...new Set(named.flatMap(existing))];
}

/** The home folder, the programs on PATH, and the agent that holds ssh keys. */
function visiblePlaces(): string[] {
  const env = parentEnvironment();
  const places = [env.HOME, ...(env.PATH ?? "").split(":"), env.SSH_AUTH_SOCK];
  const known = places.filter((place): place is string => place !== undefined && isAbsolute(place));
  return [...new Set(known.map((place) => resolve(join(place, "."))))];
}

function existing(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

function checkOptions({ mode, extraWritable, network, readOnly }: SandboxOptions): void {
  const isList = (value: unknown) =>
    value === undefined || (Array.isArray(value) && value.every((path) => typeof path === "string" && path !== ""));
  if (mode !== undefined && !["auto", "off", "required"].includes(mode)) {
    throw wrong("mode", "must be auto, off or required");
  }
  if (!isList(extraWritable)) throw wrong("extraWritable", "must be a list of folders");
  if (!isList(readOnly)) throw wrong("readOnly", "must be a list of paths");
  if (network !== undefined && typeof network !== "boolean") throw wrong("network", "must be true or false");
}

function wrong(option: string, problem: string): ZqError {
  return new ZqError("invalid_option", `sandbox.${option} ${problem}.`);
}
