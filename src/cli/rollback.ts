/** `zqagent rollback --turn N`: shows what it will do, asks, and brings the files back. */

import { createInterface } from "node:readline/promises";
import { visibleText } from "../render/sanitize";
import { type RestorePlan, SessionSnapshots } from "../sessions/SessionSnapshots";
import { fill } from "../shared/locales";
import { ExitCode } from "./exitCodes";
import { sessionOf } from "./findSession";
import type { RollbackOptions } from "./program";
import { resolveSettings, type Settings } from "./settings";
import { usageError } from "./usageError";

export async function runRollback(options: RollbackOptions): Promise<number> {
  const settings = resolveSettings(options);
  const session = sessionOf(settings, options.session);
  const snapshots = await SessionSnapshots.open(session.workspace, session.id, settings.vcs);
  if (snapshots.off !== undefined) throw usageError(settings.texts.cli.snapshotsOff, { reason: snapshots.off });
  await requireTurn(snapshots, options.turn, settings);
  const paths = options.path.length > 0 ? options.path : undefined;
  const plan = await snapshots.plan(options.turn, paths);
  if (options.json && options.dryRun) return print(`${JSON.stringify(plan)}\n`);
  if (!options.json) print(planText(plan, options.turn, settings));
  if (isEmpty(plan) || options.dryRun) return ExitCode.COMPLETED;
  if (!options.yes && !(await confirmed(settings))) return print(`${settings.texts.cli.restoreAborted}\n`);
  const done = await snapshots.restore(options.turn, paths);
  const counts = { written: done.restored.length, deleted: done.deleted.length };
  return print(options.json ? `${JSON.stringify(done)}\n` : `${fill(settings.texts.cli.restoreDonePlain, counts)}\n`);
}

async function requireTurn(snapshots: SessionSnapshots, turn: number, settings: Settings): Promise<void> {
  const turns = (await snapshots.turns()).map((entry) => entry.turn);
  if (turns.length === 0) throw usageError(settings.texts.cli.noTurns, { id: snapshots.sessionId });
  if (turn === 0 || turns.includes(turn)) return;
  throw usageError(settings.texts.cli.noTurn, { turn, id: snapshots.sessionId, turns: turns.join(", ") });
}

function planText(plan: RestorePlan, turn: number, settings: Settings): string {
  const t = settings.texts.cli;
  if (isEmpty(plan) && plan.missing.length === 0) return `${fill(t.restoreNothing, { turn })}\n`;
  const row = (text: string) => (path: string) => fill(text, { path: visibleText(path) });
  const lines = [
    turn === 0 ? t.restoreHeadingStart : fill(t.restoreHeading, { turn }),
    ...plan.restored.filter((path) => !plan.overwritten.includes(path)).map(row(t.restoreWrite)),
    ...plan.overwritten.map(row(t.restoreOverwrite)),
    ...plan.deleted.map(row(t.restoreDelete)),
    ...plan.missing.map(row(t.restoreMissing)),
  ];
  return `${lines.join("\n")}\n`;
}

function isEmpty(plan: RestorePlan): boolean {
  return plan.restored.length === 0 && plan.deleted.length === 0;
}

/** Throws UsageError where nobody can be asked. */
async function confirmed(settings: Settings): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw usageError(settings.texts.cli.restoreNeedsYes);
  const asker = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes|是)$/i.test((await asker.question(settings.texts.cli.restoreQuestion)).trim());
  } finally {
    asker.close();
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return ExitCode.COMPLETED;
}
