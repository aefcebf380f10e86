/** A question with yes or no on the command line, outside the screen. */

import { createInterface } from "node:readline/promises";

export function isAskable(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Only a clear yes is one; the end of input is a no. */
export async function confirmed(question: string): Promise<boolean> {
  const asker = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => asker.once("close", () => resolve("")));
  try {
    return /^(y|yes|是)$/i.test((await Promise.race([asker.question(question), closed])).trim());
  } finally {
    asker.close();
  }
}
