/** What the engine tells the model in front of a prompt or between calls: surroundings, mode, notices. */

import { Mode } from "../permissions/PermissionEngine";
import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { asReminder } from "../shared/reminders";
import type { Interrupt } from "./interrupt";

/** The block about the machine and the folder; the host makes it. */
export type Environment = () => Promise<string> | string;

const modeTexts: Record<Mode, string> = {
  [Mode.DISCUSS]:
    "Mode: discuss. Answer and explain; change nothing: tools that write or run commands are refused. If work should follow, offer a plan.",
  [Mode.PLAN]:
    "Mode: plan. Read-only: investigate, and change nothing before a plan is approved. Where you have propose_plan, finish with it: goal, steps with file paths, risks, how it will be checked.",
  [Mode.INTERACTIVE]: "Mode: interactive. You may make changes; the user is asked before each one that has effects.",
  [Mode.AUTO]:
    "Mode: auto. Nobody approves the single steps, so be careful with what cannot be undone, and stay with what was asked.",
};

const modeOf = /<system-reminder>Mode: (\w+)\./g;

export class Reminders {
  /** The mode that the model goes by. Interactive is what the system prompt supposes. */
  private told: Mode = Mode.INTERACTIVE;
  private day: string | null = null;

  /** Until the block was given. */
  private environment: Environment | undefined;

  /** Finds out what a given history has told; only a new one is told its surroundings. */
  constructor(messages: readonly Message[], environment?: Environment) {
    if (messages.length === 0) this.environment = environment;
    for (const message of messages) {
      if (message.role !== "user") continue;
      for (const [, mode] of textOf(message.content).matchAll(modeOf)) this.markTold(mode);
    }
  }

  /** What stands in front of a prompt; empty texts where there is nothing to say. */
  async lead(mode: Mode, interrupt: Interrupt): Promise<string[]> {
    return [await this.surroundings(interrupt), this.ofDay(today()), this.ofMode(mode)];
  }

  markTold(mode: string | undefined): void {
    this.told = Object.values(Mode).find((known) => known === mode) ?? this.told;
  }

  /** After a compaction nothing that was told before counts. */
  forget(): void {
    this.told = Mode.INTERACTIVE;
  }

  /** The reminder of a mode that the model has not been told yet; empty when there is nothing to say. */
  ofMode(mode: Mode): string {
    if (mode === this.told) return "";
    this.told = mode;
    return asReminder(modeTexts[mode]);
  }

  /** The block is a help, not a need: what goes wrong with it is passed over, and an interrupt does not wait for it. */
  private async surroundings(interrupt: Interrupt): Promise<string> {
    const { environment } = this;
    if (!environment) return "";
    this.environment = undefined;
    this.day = today();
    try {
      return await interrupt.race(Promise.resolve(environment()));
    } catch {
      return "";
    }
  }

  /** The reminder of a new day, where the model was told a date before. */
  private ofDay(day: string): string {
    if (this.day === null || this.day === day) return "";
    this.day = day;
    return asReminder(`The date is now ${day}.`);
  }
}

/** The day in local time. */
function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
