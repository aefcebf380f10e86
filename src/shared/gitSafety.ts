/** What makes a git call of ours harmless: settings that start nothing, and an environment that says next to nothing. */

import type { Environment } from "./env";

/** In front of every command. */
export const globalFlags = ["--no-pager", "--no-optional-locks"];

/** Everything by which a repository's configuration could start a program or change what our calls mean. */
export const readSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotePath=false",
  "core.pager=cat",
  "color.ui=false",
  "log.showSignature=false",
  "diff.autoRefreshIndex=false",
  "diff.noprefix=false",
  "diff.mnemonicPrefix=false",
  "i18n.logOutputEncoding=UTF-8",
  "submodule.recurse=false",
  "protocol.allow=never",
];

/** For snapshots also: leave nothing in the repository but objects and our own ref. */
export const plumbSettings = [
  ...readSettings,
  "core.logAllRefUpdates=false",
  "core.splitIndex=false",
  "core.protectNTFS=false",
  "commit.gpgSign=false",
  "i18n.commitEncoding=UTF-8",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** simple-git refuses settings that are dangerous in other hands; these we set ourselves, to values that start nothing. */
export const allowOurSettings = {
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeFilter: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeCustomBinary: true,
};

/** The little that git needs to know of us. Nothing that begins with GIT_ is inherited. */
export function gitEnvironment(): Environment {
  const kept = Object.entries(process.env).filter(([name]) => inherited.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

const inherited = new Set(
  (
    "PATH HOME USER LOGNAME XDG_CONFIG_HOME TMPDIR TMP TEMP USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA " +
    "PROGRAMDATA SYSTEMROOT WINDIR COMSPEC PATHEXT"
  ).split(" "),
);
