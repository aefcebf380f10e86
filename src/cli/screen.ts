/** Opens the screen over a session: the screen first, the engine when the first frame stands. */

import { homedir } from "node:os";
import { forceColorValue, resolveColor } from "../render/color";
import { rememberEnvironment } from "../shared/childEnvironment";
import { setDirectoryHandler, setPlanHandler, setQuestionHandler } from "../shared/handlers";
import { fill } from "../shared/locales";
import { startScreen } from "../ui/start";
import type { Choice } from "./openSession";
import type { ColorChoice } from "./program";
import type { Settings } from "./settings";

export interface ScreenRun {
  choice: Choice;
  /** Sent as soon as the session is open; empty: none. */
  prompt: string;
  color: ColorChoice;
}

/** Returns the exit code when the person leaves. */
export function runScreen(settings: Settings, run: ScreenRun): Promise<number> {
  const color = resolveColor({ flag: run.color, env: process.env, isTty: process.stdout.isTTY === true });
  // Every colour library must agree, so it is said before any is loaded. Commands get the environment as it was found.
  rememberEnvironment();
  process.env.FORCE_COLOR = forceColorValue(color);
  return startScreen({
    choice: run.choice,
    openSession: async (choice) => (await import("./openSession")).openSession(settings, choice),
    lang: settings.lang,
    env: process.env,
    version: ZQAGENT_VERSION,
    homeDir: homedir(),
    stateDir: settings.home,
    workspace: settings.workspace,
    color,
    notify: settings.notify,
    handlers: { setQuestionHandler, setPlanHandler, setDirectoryHandler },
    onExit: ({ sessionId }) => hint(settings, sessionId),
    ...(run.prompt === "" ? {} : { initialPrompt: run.prompt }),
  });
}

/** How to come back, if there is something to come back to. */
function hint(settings: Settings, sessionId: string | null): void {
  if (sessionId !== null) process.stdout.write(`${fill(settings.texts.cli.resumeHint, { id: sessionId })}\n`);
}
