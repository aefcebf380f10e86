/** What the screen is started with: how to open sessions, who the person is, and where things lie. */

import type { Environment } from "../shared/env";
import type { DirectoryHandler, PlanHandler, QuestionHandler } from "../shared/handlers";
import type { Lang } from "../shared/lang";
import type { ScreenSession, SessionChoice } from "./ScreenSession";
import type { Terminal } from "./terminal/Terminal";

export interface ScreenOptions {
  /** Default: the process's own. */
  terminal?: Terminal;
  openSession(choice: SessionChoice): Promise<ScreenSession>;
  /** What to open first; default a new session. */
  choice?: SessionChoice;
  /** Sent as soon as the session is open. */
  initialPrompt?: string;
  lang: Lang;
  env: Environment;
  version: string;
  /** The person's home folder, shown as `~`. */
  homeDir: string;
  /** Where earlier prompts are kept (`~/.zqagent`). */
  stateDir: string;
  /** The folder to work in, shown before the session is open. */
  workspace: string;
  color: boolean;
  /** False: the terminal does not ring when something waits and it has no focus. Default true. */
  notify?: boolean;
  handlers: {
    setQuestionHandler(handler: QuestionHandler | null): void;
    setPlanHandler(handler: PlanHandler | null): void;
    setDirectoryHandler(handler: DirectoryHandler | null): void;
  };
  /** Told which session was open when the person left, after the terminal was given back. */
  onExit?(left: { sessionId: string | null }): void;
}
