/**
 * Opens the screen, in stages: the terminal's modes first, so that no early key is lost or echoed; then the first frame;
 * then all that thinks (architecture.md 6).
 */

import { createPaint } from "../render/color";
import { textsFor } from "../shared/locales";
import type { Mounted } from "./mount";
import type { ScreenOptions } from "./ScreenOptions";
import { uiTextsOf } from "./state/texts";
import { exitCodeOf } from "./terminal/lifeline";
import { createTerminal, type Terminal } from "./terminal/Terminal";

/** Runs until the person leaves; resolves to the exit code. Rejects, with the terminal given back, when no session could be opened. */
export async function startScreen(options: ScreenOptions): Promise<number> {
  const terminal =
    options.terminal ?? createTerminal({ stdin: process.stdin, stdout: process.stdout, env: options.env });
  terminal.enter();
  const release = outlastSignals();
  const mounted = await mountFirst(terminal, options);
  try {
    return await live(terminal, mounted, options);
  } finally {
    await mounted.unmount();
    terminal.leave();
    release();
  }
}

/** Ink draws nothing where CI is set, whatever that is set to mean; on a terminal a person is there (tui rule 31). */
async function mountFirst(terminal: Terminal, options: ScreenOptions): Promise<Mounted> {
  const { CI, CONTINUOUS_INTEGRATION } = process.env;
  delete process.env["CI"];
  delete process.env["CONTINUOUS_INTEGRATION"];
  const { mountScreen } = await import("./mount");
  if (CI !== undefined) process.env["CI"] = CI;
  if (CONTINUOUS_INTEGRATION !== undefined) process.env["CONTINUOUS_INTEGRATION"] = CONTINUOUS_INTEGRATION;
  const { version, workspace, homeDir, color, notify } = options;
  const look = { texts: uiTextsOf(textsFor(options.lang)), paint: createPaint(color), color };
  const status = { mode: "", model: "", usage: null, folder: workspace, home: homeDir, branch: null };
  return mountScreen({
    terminal,
    stdout: process.stdout,
    look,
    status,
    banner: { kind: "banner", version, workspace },
    ...(notify === undefined ? {} : { notify }),
  });
}

async function live(terminal: Terminal, mounted: Mounted, options: ScreenOptions): Promise<number> {
  const { createEngineSide } = await import("./engineSide");
  let code = 0;
  const left = withResolvers();
  const { driver, opened } = await createEngineSide({ mounted, terminal, options, onLeft: left.resolve });
  terminal.onEnd((reason) => {
    code = exitCodeOf(reason);
    mounted.store.hold();
    void driver.leave();
  });
  await Promise.race([opened, left.promise]);
  await left.promise;
  options.onExit?.({ sessionId: driver.current?.id ?? null });
  return code;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/**
 * Ink listens to signals too, and ends the process at once when it finds itself the only listener. The terminal lets go
 * of its own listeners before the session is saved, so until then somebody else must listen.
 */
function outlastSignals(): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
  const listener = () => {};
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
