/** Sockets whose other end runs programs for whoever asks: through one of them a command would leave the sandbox. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { parentEnvironment } from "../shared/childEnvironment";
import type { Environment } from "../shared/env";
import { isInside, realPathOf } from "../shared/paths";
import type { SandboxPlan } from "./plan";

/** Container engines, the service manager and the message buses. */
const ofTheMachine = [
  "/run/docker.sock",
  "/run/containerd/containerd.sock",
  "/run/podman/podman.sock",
  "/run/crio/crio.sock",
  "/run/buildkit/buildkitd.sock",
  "/run/libvirt/libvirt-sock",
  "/run/systemd/private",
  "/run/dbus/system_bus_socket",
  "/var/lib/lxd/unix.socket",
  "/var/lib/incus/unix.socket",
  "/var/snap/lxd/common/lxd/unix.socket",
];
const ofTheUser = ["bus", "systemd/private", "docker.sock", "podman/podman.sock", "containerd/containerd.sock"];

/** Those that exist, real paths. One that `extraWritable` names stays open. */
export function findBrokers(plan: SandboxPlan, env: Environment = parentEnvironment()): string[] {
  const runtime = env.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.() ?? 0}`;
  const places = [...ofTheMachine, ...ofTheUser.map((name) => join(runtime, name)), ...namedSockets(env)];
  const found = new Set(places.map(realPathOf).filter(isSocket));
  return [...found].filter((path) => !plan.extraWritable.some((open) => isInside(open, path)));
}

/** The addresses that clients take from the environment. */
function namedSockets(env: Environment): string[] {
  const addresses = [env.DOCKER_HOST, env.CONTAINER_HOST, env.DBUS_SESSION_BUS_ADDRESS, env.DBUS_SYSTEM_BUS_ADDRESS];
  const form = /unix:(?:\/\/|path=)(\/[^,;]+)/g;
  return addresses.flatMap((address) => [...(address ?? "").matchAll(form)].map((match) => match[1] ?? "/"));
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
