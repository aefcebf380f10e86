/** The small files that the scripted model of the loops reads, one a step. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function noteName(index: number): string {
  return `notes/n${index}.txt`;
}

/** What stands in it, as it comes back in a request. */
export function noteText(index: number): string {
  return `NOTE-${index}- a small note that says nothing much.`;
}

export function writeNotes(workspace: string, count: number): void {
  mkdirSync(join(workspace, "notes"), { recursive: true });
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(workspace, noteName(index)), `${noteText(index)}\n`);
}
