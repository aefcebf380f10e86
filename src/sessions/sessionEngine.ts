/** The engine of a session: created with what the session knows, and brought back to where it was. */

import { join } from "node:path";
import {
  createDefaultEngine,
  type FileLogHook,
  type Message,
  Mode,
  type ProviderClient,
  type SavedState,
  type TurnEngine,
} from "../index";
import type { SessionOptions } from "./sessionOptions";

/** What the session itself brings along. */
export interface SessionSurroundings {
  id: string;
  folder: string;
  log: FileLogHook;
  state: SavedState | null;
  provider: ProviderClient;
  /** Taken by the engine before each model call. */
  notices: () => string[];
  onProblem: (problem: string) => void;
}

export function createSessionEngine(options: SessionOptions, surroundings: SessionSurroundings): TurnEngine {
  const { id, folder, log, state } = surroundings;
  const messages: Message[] | undefined = state?.messages;
  const model = modelOf(options, state);
  return createDefaultEngine({
    ...engineOptions(options),
    workspace: options.workspace,
    provider: surroundings.provider,
    lang: options.lang,
    agentType: options.agent ?? "code",
    hook: log,
    // Where the workspace is the home folder, no command may change our own settings.
    sandbox: { ...options.sandbox, readOnly: [options.home] },
    vcs: { mode: options.vcs, sessionId: id, onNotice: surroundings.onProblem },
    userFile: join(options.home, "AGENTS.md"),
    toolResultDir: join(folder, "tool-results"),
    notices: surroundings.notices,
    ...(options.web ? { web: options.web } : {}),
    ...(messages ? { messages } : {}),
    ...(model === undefined ? {} : { model }),
  });
}

/** Mode and "always" answers of before; what the command line says now goes first. */
export function restoreSettings(engine: TurnEngine, state: SavedState, options: SessionOptions): void {
  const modes = Object.values(Mode) as string[];
  if (options.named?.mode === undefined && state.permissionMode !== undefined && modes.includes(state.permissionMode)) {
    engine.permissions.mode = state.permissionMode as Mode;
  }
  for (const tool of state.allowTools ?? []) engine.permissions.allowToolForSession(tool);
  for (const command of state.allowCommands ?? []) engine.permissions.allowCommandForSession(command);
}

/** The model that the person names now; else the one that the session used. */
function modelOf(options: SessionOptions, state: SavedState | null): string | undefined {
  return options.named?.model ?? (state?.model || options.model);
}

function engineOptions(options: SessionOptions) {
  const { mode, maxIterations, reasoningEffort, contextWindow, thresholdPct, softThresholdPct, capTokens } = options;
  const given = {
    waitLimitMs: options.waitLimitMs,
    askContextWindow: true,
    mode,
    maxIterations,
    reasoningEffort,
    contextWindow,
    thresholdPct,
    softThresholdPct,
    capTokens,
    allowedCommands: options.allow,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<typeof given>;
}
