/** What the engine tells the model in front of a prompt or between calls: surroundings, mode, notices. */

import { Mode } from "../permissions/PermissionEngine";
import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { asReminder } from "../shared/reminders";

const modeTexts: Record<Mode, string> = {
  [Mode.DISCUSS]:
    "Mode: discuss. Answer and explain; change nothing: tools that write or run commands are refused. If work should follow, offer a plan.",
  [Mode.PLAN]:
    "Mode: plan. Read-only: investigate, then finish with propose_plan (goal, steps with file paths, risks, how it will be checked). Nothing may be changed before the plan is approved.",
  [Mode.INTERACTIVE]: "Mode: interactive. You may make changes; the user is asked before each one that has effects.",
  [Mode.AUTO]:
    "Mode: auto. Nobody approves the single steps, so be careful with what cannot be undone, and stay with what was asked.",
};

const modeOf = /<system-reminder>Mode: (\w+)\./g;

export class Reminders {
  /** The mode that the model goes by. Interactive is what the system prompt supposes. */
  private told: Mode = Mode.INTERACTIVE;
  private day: string | null = null;

  /** Finds out what a restored history has told. */
  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      if (message.role !== "user") continue;
      for (const [, mode] of textOf(message.content).matchAll(modeOf)) this.markTold(mode);
    }
  }

  markTold(mode: string | undefined): void {
    this.told = Object.values(Mode).find((known) => known === mode) ?? this.told;
  }

  /** After a compaction nothing that was told before counts. */
  forget(): void {
    this.told = Mode.INTERACTIVE;
  }

  /** The day on which the environment block was given. */
  startDay(today: string): void {
    this.day = today;
  }

  /** The reminder of a mode that the model has not been told yet; empty when there is nothing to say. */
  ofMode(mode: Mode): string {
    if (mode === this.told) return "";
    this.told = mode;
    return asReminder(modeTexts[mode]);
  }

  /** The reminder of a new day, where the model was told a date before. */
  ofDay(today: string): string {
    if (this.day === null || this.day === today) return "";
    this.day = today;
    return asReminder(`The date is now ${today}.`);
  }
}
