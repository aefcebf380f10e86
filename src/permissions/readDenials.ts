/** Places that no tool reads, wherever the workspace lies: other processes' secrets and devices. */

import { realPathOf, type WorkspaceRoots } from "../shared/paths";

const secretProcFile = /^\/proc\/(?:[^/]+\/)*(?:environ|mem|auxv|kcore)$/;
const device = /^\/dev\/(?!null$)/;

/** True for `/proc/<pid>/environ` and devices, also when a link leads there. */
export function isDeniedToRead(roots: WorkspaceRoots, path: string): boolean {
  const absolute = roots.resolve(path);
  return [absolute, realPathOf(absolute)].some((form) => secretProcFile.test(form) || device.test(form));
}
