/** Makes room without a model: leaves out old tool results, rarely and deep, because each time breaks a prefix cache. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolSchema } from "../shared/contracts";
import { switchFrom } from "../shared/env";
import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { SAVED_RESULTS } from "../tools/resultBudget";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { duplicates, type Elision, elisionNotice, NOTICE_PLACE, oldResults } from "./elision";
import type { History } from "./History";
import type { Meter } from "./Meter";

/** Tokens of the newest tool results that stay; a quarter of the window where that is less. */
const PROTECTED_TOKENS = 40_000;
const PROTECTED_SHARE = 0.25;
/** Shares of the soft threshold, which is 60 % of the window by default: 10 %, 45 % and 5 % of the window then. */
const LEAST_GAIN = 1 / 6;
const DOWN_TO = 0.75;
const TRY_AGAIN_AFTER = 1 / 12;

export interface EliderParts {
  history: History;
  meter: Meter;
  registry: ToolRegistry;
  toolResultDir: string;
}

export class Elider {
  private readonly parts: EliderParts;
  /** After a vain try it is not worth another look at every message before so many tokens are there. */
  private tryAgainAt = 0;

  constructor(parts: EliderParts) {
    this.parts = parts;
  }

  /** Leaves out what can be left out, if that is worth it. */
  async elide(tools: readonly ToolSchema[]): Promise<void> {
    const { history, meter } = this.parts;
    const { soft } = meter.thresholds();
    const { tokens } = meter.count(tools);
    if (tokens < this.tryAgainAt && tokens >= soft) return;
    const chosen = this.choose(tokens - soft * DOWN_TO);
    const gain = chosen.reduce((sum, elision) => sum + elision.gain, 0) * meter.factor;
    const isVain = gain < soft * LEAST_GAIN;
    this.tryAgainAt = isVain ? tokens + soft * TRY_AGAIN_AFTER : 0;
    if (isVain) return;
    const changed: [number, Message][] = [];
    for (const elision of chosen) changed.push([elision.index, await this.saved(elision)]);
    history.change(changed);
  }

  /** All duplicates, then the oldest results until `wanted` tokens are gained; one change a message. */
  private choose(wanted: number): Elision[] {
    const { history, meter, registry } = this.parts;
    const protect = Math.min(PROTECTED_TOKENS, meter.contextWindow * PROTECTED_SHARE);
    const view = { messages: history.all, registry, protect };
    const chosen = new Map<number, Elision>();
    if (switchFrom(process.env, "COMPACTION_DEDUP", true))
      for (const one of duplicates(view)) chosen.set(one.index, one);
    let gained = [...chosen.values()].reduce((sum, { gain }) => sum + gain, 0);
    if (!switchFrom(process.env, "COMPACTION_ELIDE", true)) return [...chosen.values()];
    for (const elision of oldResults(view)) {
      if (gained * meter.factor >= wanted) break;
      if (chosen.has(elision.index)) continue;
      chosen.set(elision.index, elision);
      gained += elision.gain;
    }
    return [...chosen.values()];
  }

  /** The message with the place where the whole result lies. */
  private async saved({ message, saves }: Elision): Promise<Message> {
    if (!saves) return message;
    const notice = elisionNotice(saves.text.length, await this.save(saves.callId, saves.text));
    return { ...message, content: textOf(message.content).replace(NOTICE_PLACE, () => notice) };
  }

  /** The name under which the model can read it; null where it could not be written. */
  private async save(callId: string, text: string): Promise<string | null> {
    const { toolResultDir } = this.parts;
    const file = `${callId.replace(/[^\w-]/g, "_").slice(0, 80) || "result"}-elided.txt`;
    try {
      await mkdir(toolResultDir, { recursive: true, mode: 0o700 });
      await writeFile(join(toolResultDir, file), text, { flag: "wx", mode: 0o600 });
      return `${SAVED_RESULTS}/${file}`;
    } catch {
      return null;
    }
  }
}
