/** The dialog of request_directory: a folder outside the workspace that the model wants to read or write. */

import type { DirectoryAnswer } from "../../shared/handlers";
import { answerKey, type Outcome, type Press } from "./press";

export interface Directory {
  kind: "directory";
  path: string;
  reason: string;
  writable: boolean;
  refused: boolean;
}

export function directoryKey(ask: Directory, press: Press, seen: boolean): Outcome<Directory> {
  const key = answerKey(press);
  if (key === "escape") return { answer: refuseDirectory(), stop: true };
  if (key === "n") return { answer: refuseDirectory() };
  const allows = key === "y" || (key === "r" && ask.writable);
  if (!allows) return null;
  if (!seen) return { ask: { ...ask, refused: true } };
  return { answer: { granted: true, writable: key === "y" && ask.writable } satisfies DirectoryAnswer };
}

export function refuseDirectory(): DirectoryAnswer {
  return { granted: false };
}
