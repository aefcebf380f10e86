/** Keys and patterns of the screen, as a person's hands and eyes know them. */

import type { Pty } from "../support/pty";

export const ENTER = "\r";
export const ESCAPE = "\u001b";
export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";

/** The input row; no other row begins so. */
export const PROMPT = /^❯ /m;
/** The key row of an open approval dialog. */
export const APPROVAL = /y .*(allow|允许).*n .*(deny|拒绝)/s;

/** Types a prompt and sends it, once the input box is there. */
export async function ask(pty: Pty, text: string): Promise<void> {
  await pty.waitFor(PROMPT);
  pty.send(text);
  await pty.waitFor(text);
  pty.send(ENTER);
}

/**
 * Answers an open dialog with one key. A dialog ignores keys for a moment after it has opened, so the key is pressed
 * again until the dialog has gone.
 */
export async function answer(pty: Pty, key: string, dialog: RegExp = APPROVAL): Promise<void> {
  await pty.waitFor(dialog);
  for (let attempt = 0; attempt < 20; attempt++) {
    pty.send(key);
    try {
      await pty.waitFor((screen) => !dialog.test(screen.join("\n")), 700);
      return;
    } catch {
      // Still open: the moment was not over.
    }
  }
  throw new Error(`The dialog did not take ${JSON.stringify(key)}:\n${pty.screen().join("\n")}`);
}
