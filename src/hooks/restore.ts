/** Brings a session back from disk: the checkpoint with the log after it, else the log alone (guide 11.3). */

import { existsSync } from "node:fs";
import { messageOf } from "../shared/errors";
import { type Checkpoint, isMarkValid, readCheckpoint } from "./checkpoint";
import { HistoryReplay, replayedTypes } from "./historyReplay";
import type { SavedState } from "./savedState";
import { readLog } from "./sessionLog";
import { logPath, statePath } from "./sessionPaths";

/** A session as it was found. `warnings` are sentences for a person; `source` says what it was made from. */
export interface RestoredSession {
  state: SavedState | null;
  source: "checkpoint" | "log" | null;
  warnings: string[];
}

/** The best that the disk holds of a session. Never throws. */
export function restoreSession(sessionId: string, stateDir: string): RestoredSession {
  const path = statePath(sessionId, stateDir);
  const checkpoint = readCheckpoint(path);
  if (!checkpoint) {
    const found = rebuildFromLog(sessionId, stateDir);
    if (existsSync(path))
      found.warnings.unshift("The checkpoint could not be read; the session was rebuilt from its log.");
    return found;
  }
  const warnings: string[] = [];
  return { state: playAfter(checkpoint, sessionId, { stateDir, warnings }), source: "checkpoint", warnings };
}

/** The session from its log alone. Never throws. */
export function rebuildFromLog(sessionId: string, stateDir: string): RestoredSession {
  const warnings: string[] = [];
  const replay = new HistoryReplay();
  guard(warnings, () => {
    const path = logPath(sessionId, stateDir);
    if (!existsSync(path)) return;
    for (const record of readLog(path, { types: replayedTypes, warn: (text) => warnings.push(text) }))
      replay.apply(record);
  });
  noteGaps(replay, warnings);
  return replay.isEmpty
    ? { state: null, source: null, warnings }
    : { state: replay.finish(sessionId), source: "log", warnings };
}

function playAfter(
  checkpoint: Checkpoint,
  sessionId: string,
  place: { stateDir: string; warnings: string[] },
): SavedState {
  const { logLength, logHash, ...state } = checkpoint;
  const { stateDir, warnings } = place;
  const replay = new HistoryReplay(state);
  guard(warnings, () => {
    const path = logPath(sessionId, stateDir);
    if (!existsSync(path)) return;
    // Where the log was cut or changed since, its length says nothing and the times of the records decide.
    const isValid = isMarkValid(path, { logLength, logHash });
    const options = {
      from: isValid ? logLength : 0,
      types: replayedTypes,
      warn: (text: string) => warnings.push(text),
    };
    for (const record of readLog(path, options)) if (isValid || record.t >= state.savedAt) replay.apply(record);
  });
  noteGaps(replay, warnings);
  return replay.finish(sessionId);
}

function noteGaps(replay: HistoryReplay, warnings: string[]): void {
  if (replay.gaps > 0) warnings.push(`${replay.gaps} message(s) of the conversation are lost.`);
}

function guard(warnings: string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    warnings.push(`The log could not be read to its end: ${messageOf(error)}.`);
  }
}
