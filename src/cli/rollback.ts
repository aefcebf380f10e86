/** `zqagent rollback --turn N`: shows what it will do, asks, and brings the files back. */

import { createInterface } from "node:readline/promises";
import type { RestoreResult } from "../index";
import { visibleText } from "../render/sanitize";
import { SessionSnapshots } from "../sessions/SessionSnapshots";
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
  const way = await wayBack(snapshots, options, settings);
  const plan = await way.look();
  if (options.json && options.dryRun) return print(`${JSON.stringify(plan)}\n`);
  if (!options.json) print(planText(plan, way.heading, settings));
  if (isEmpty(plan) || options.dryRun) return ExitCode.COMPLETED;
  if (!options.yes && !(await confirmed(settings))) return print(`${settings.texts.cli.restoreAborted}\n`);
  const done = await way.go();
  print(options.json ? `${JSON.stringify(done)}\n` : doneText(done, settings));
  return done.failed.length > 0 ? ExitCode.ERROR : ExitCode.COMPLETED;
}

/** Where to: what it is called, what it would do, and doing it. */
interface WayBack {
  heading: string;
  look(): Promise<RestoreResult>;
  go(): Promise<RestoreResult>;
}

async function wayBack(snapshots: SessionSnapshots, options: RollbackOptions, settings: Settings): Promise<WayBack> {
  const { cli } = settings.texts;
  if (options.undo) {
    return { heading: cli.restoreHeadingUndo, look: () => snapshots.undo(true), go: () => snapshots.undo(false) };
  }
  const { turn } = options;
  if (turn === undefined) throw usageError(cli.restoreWhichTurn);
  await requireTurn(snapshots, turn, settings);
  const paths = options.path.length > 0 ? options.path : undefined;
  return {
    heading: turn === 0 ? cli.restoreHeadingStart : fill(cli.restoreHeading, { turn }),
    look: () => snapshots.plan(turn, paths),
    go: () => snapshots.restore(turn, paths),
  };
}

async function requireTurn(snapshots: SessionSnapshots, turn: number, settings: Settings): Promise<void> {
  const turns = (await snapshots.turns()).map((entry) => entry.turn);
  if (turns.length === 0) throw usageError(settings.texts.cli.noTurns, { id: snapshots.sessionId });
  if (turn === 0 || turns.includes(turn)) return;
  throw usageError(settings.texts.cli.noTurn, { turn, id: snapshots.sessionId, turns: turns.join(", ") });
}

/** Uncovered paths that are named one by one; the rest is counted. */
const SHOWN_UNCOVERED = 8;

function planText(plan: RestoreResult, heading: string, settings: Settings): string {
  const t = settings.texts.cli;
  if (isEmpty(plan) && plan.missing.length === 0) return `${t.restoreNothing}\n`;
  const row = (text: string) => (path: string) => fill(text, { path: visibleText(path) });
  const changedSince = (path: string) => plan.overwritten.includes(path);
  const uncovered = plan.uncovered.map((entry) => visibleText(entry.path));
  const more = uncovered.length > SHOWN_UNCOVERED ? `, … (${uncovered.length - SHOWN_UNCOVERED})` : "";
  const lines = [
    heading,
    ...plan.restored.map((path) => row(changedSince(path) ? t.restoreOverwrite : t.restoreWrite)(path)),
    ...plan.deleted.map((path) => row(changedSince(path) ? t.restoreDeleteChanged : t.restoreDelete)(path)),
    ...plan.missing.map(row(t.restoreMissing)),
    ...(uncovered.length > 0
      ? [fill(t.restoreUncovered, { paths: uncovered.slice(0, SHOWN_UNCOVERED).join(", ") + more })]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function doneText(done: RestoreResult, settings: Settings): string {
  const { cli } = settings.texts;
  const failed = done.failed.map(({ path, reason }) => fill(cli.restoreFailed, { path: visibleText(path), reason }));
  const counts = { written: done.restored.length, deleted: done.deleted.length };
  return `${[...failed, fill(cli.restoreDone, counts)].join("\n")}\n`;
}

function isEmpty(plan: RestoreResult): boolean {
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
