/** The unit of a commit: one file's change that is ready to happen, and the way back once it did. */

import { lstat } from "node:fs/promises";
import { isSameStamp, stampOf } from "../../../shared/fileStamps";
import type { Target } from "../../targets";
import { EditRefused } from "../match/refusal";
import type { DraftSource } from "./Draft";

/** A step that is done, and how to take it back. */
export interface Done {
  shown: string;
  undo(): Promise<void>;
}

export interface Step {
  /** Makes the change in one stroke. Throws without having changed anything. */
  run(): Promise<Done>;
  /** Clears away what the preparation left; always called, once all steps are through. */
  discard(): Promise<void>;
}

/** Refuses where the file is not the one that was read any more. */
export async function checkUnchanged(target: Target, original: DraftSource | null): Promise<void> {
  const now = await lstat(target.realPath, { bigint: true }).catch(() => undefined);
  if (now && original && isSameStamp(stampOf(now), original.content.stamp)) return;
  throw new EditRefused(`${target.shown} changed on disk while it was being edited. Read it again.`);
}

export function cameIntoBeing(shown: string): EditRefused {
  return new EditRefused(`${shown} already exists: it came into being meanwhile. Nothing was written over it.`);
}
