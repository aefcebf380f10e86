/** The arguments of bwrap: the whole machine read-only, the workspace and a temporary folder of the session's own writable. */

import { sep } from "node:path";
import { isInside } from "../shared/paths";
import { findBrokers } from "./brokers";
import { cacheSettings } from "./caches";
import { findGuardedPlaces, type GuardedPlaces, linkedRepository } from "./guardedPlaces";
import type { SandboxPlan } from "./plan";

export interface BwrapCall {
  /** Folder in which the command starts; default is the workspace. */
  cwd?: string;
  /** Default: as the disk is now, and nothing that does not exist (a mount would leave an empty folder behind). */
  places?: GuardedPlaces;
  /** An empty folder that is mounted where nothing may come to exist. */
  emptyFolder?: string;
}

/**
 * Arguments up to and without the command (guide 8.4). All rights are dropped: as root bwrap would keep them, and with
 * them a command could mount the machine writable again. The namespace of processes ends with the command.
 */
export function buildBwrapArgs(plan: SandboxPlan, call: BwrapCall = {}): string[] {
  const places = call.places ?? { ...findGuardedPlaces(plan), missing: [] };
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(plan.network ? [] : ["--unshare-net"]),
    ...(plan.forbidNesting ? ["--disable-userns"] : []),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...folderMounts(plan),
    ...places.pinned.flatMap((path) => ["--bind-try", path, path]),
    ...[...new Set(places.readOnly)].flatMap((path) => ["--ro-bind-try", path, path]),
    ...(call.emptyFolder ? places.missing.flatMap((path) => ["--ro-bind", call.emptyFolder ?? "", path]) : []),
    ...findBrokers(plan).flatMap((path) => ["--ro-bind-try", "/dev/null", path]),
    ...cacheSettings(plan).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", call.cwd ?? plan.workspace],
  ];
}

/** The outer folder first, so that none hides another: a workspace below the temporary folder comes after it. */
function folderMounts(plan: SandboxPlan): string[] {
  const linked = linkedRepository(plan.workspace);
  const writable = [plan.workspace, ...plan.extraWritable, ...(linked === null ? [] : [linked])];
  const hidden = (path: string) => plan.tempFolders.some((temp) => isInside(temp, path));
  const mounts = [
    ...plan.tempFolders.map((path) => ({ path, args: tempMount(plan, path) })),
    ...plan.visible.filter(hidden).map((path) => ({ path, args: ["--ro-bind-try", path, path] })),
    ...writable.map((path) => ({
      path,
      args: [path === plan.workspace ? "--bind" : "--bind-try", path, path],
    })),
  ];
  return mounts.sort((one, other) => depthOf(one.path) - depthOf(other.path)).flatMap((mount) => mount.args);
}

function tempMount(plan: SandboxPlan, path: string): string[] {
  return plan.sessionTemp === null ? ["--tmpfs", path] : ["--bind", plan.sessionTemp, path];
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== "").length;
}
