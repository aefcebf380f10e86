/** The environment that a command of the model gets: ours as it was at the start, without secrets, never waiting for a person. */

import type { Environment } from "./env";

let remembered: Environment | null = null;

/**
 * Keeps a copy of the environment as it is now; commands get that copy from here on, whatever is set later for our own
 * needs (FORCE_COLOR and the like). The command calls it first of all; a host that never does passes on its live one.
 */
export function rememberEnvironment(env: Environment = process.env): void {
  remembered = { ...env };
}

/** The environment that children start from: the remembered one, else the process's own. */
export function parentEnvironment(): Environment {
  return remembered ?? process.env;
}

export interface ChildEnvironmentOptions {
  /** Default: `parentEnvironment()`. */
  parent?: Environment;
  /** Names that are passed on although they look like secrets (setting `env.allow`). */
  allow?: readonly string[];
  /** Put in last. */
  extra?: Environment;
}

/** Builds a command's environment: no secrets, no pager, no editor, no prompt, no colour, no file monitor of git's. */
export function buildChildEnvironment(options: ChildEnvironmentOptions = {}): Environment {
  const parent = options.parent ?? parentEnvironment();
  const allowed = new Set(options.allow ?? []);
  const kept = Object.entries(parent).filter(
    ([name, value]) =>
      value !== undefined && !passedSetting.test(name) && (allowed.has(name) || !isSecret(name, value)),
  );
  return {
    ...Object.fromEntries(kept),
    ...quiet,
    ...gitSettings(parent),
    ...options.extra,
  };
}

/** What keeps programs from waiting for somebody or drawing for a screen. */
const quiet: Environment = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  TERM: "dumb",
  NO_COLOR: "1",
  ZQAGENT: "1",
};

const secretParts = new Set(
  "KEY APIKEY TOKEN AUTHTOKEN SECRET PASSWORD PASSWD PWD CREDENTIAL CREDENTIALS AUTH".split(" "),
);
const harmlessNames = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK"]);

/** True for a variable whose name says that it is secret, or whose value is an address with a password in it. */
export function isSecret(name: string, value: string): boolean {
  if (harmlessNames.has(name.toUpperCase())) return false;
  return name.split("_").some((part) => secretParts.has(part.toUpperCase())) || holdsPassword(value);
}

function holdsPassword(value: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#]+@/i.test(value);
}

const passedSetting = /^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/;

/** Settings that the parent hands to git by way of the environment, our own last; those that carry a login fall away. */
function gitSettings(parent: Environment): Environment {
  const pairs: [string, string][] = [];
  for (let n = 0; n < Number(parent.GIT_CONFIG_COUNT ?? 0); n++) {
    const key = parent[`GIT_CONFIG_KEY_${n}`];
    const value = parent[`GIT_CONFIG_VALUE_${n}`] ?? "";
    if (key && !/extraheader|credential|password|token/i.test(key) && !holdsPassword(value)) pairs.push([key, value]);
  }
  pairs.push(["core.fsmonitor", "false"]);
  const settings: Environment = { GIT_CONFIG_COUNT: String(pairs.length) };
  pairs.forEach(([key, value], n) => {
    settings[`GIT_CONFIG_KEY_${n}`] = key;
    settings[`GIT_CONFIG_VALUE_${n}`] = value;
  });
  return settings;
}
