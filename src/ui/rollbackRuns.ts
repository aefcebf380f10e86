/** The commands about changed files: what a turn changed, and bringing files back as they were. */

import type { RestoreResult } from "../index";
import type { SnapshotTurn } from "../sessions/SessionSnapshots";
import { fill } from "../shared/locales";
import type { CommandDesk } from "./CommandDesk";
import type { Confirm } from "./dialogs/confirm";

type Desk = Pick<CommandDesk, "session" | "texts" | "say" | "choose">;

/** `/diff [turn]`: the newest turn without a number. */
export async function showDiff(desk: Desk, argument: string): Promise<void> {
  const turn = parseTurn(argument, 1);
  if (turn === "bad") return desk.say(badTurn(argument));
  const diff = await desk.session.diff(turn);
  desk.say(diff.trim() === "" ? { kind: "notice", tone: "plain", text: "noDiff" } : { kind: "diff", text: diff });
}

/** `/rollback [turn]`: shows what it would do, asks, and does it. */
export async function rollBack(desk: Desk, argument: string): Promise<void> {
  const wanted = parseTurn(argument, 0);
  if (wanted === "bad") return desk.say(badTurn(argument));
  const turn = wanted ?? (await pickTurn(desk));
  if (turn === null) return;
  const plan = await desk.session.previewRollback(turn);
  if (plan.restored.length + plan.deleted.length === 0) {
    return desk.say({ kind: "notice", tone: "plain", text: "rollbackNothing" }, ...leftovers(plan));
  }
  if (!(await desk.choose(confirmOf(turn, plan), false))) return;
  const done = await desk.session.rollback(turn);
  const count = done.restored.length + done.deleted.length;
  desk.say({ kind: "notice", tone: "good", text: "rollbackDone", values: { count } }, ...leftovers(done));
}

async function pickTurn(desk: Desk): Promise<number | null> {
  const turns = await desk.session.turns();
  if (turns.length === 0) {
    desk.say({ kind: "notice", tone: "plain", text: "noTurns" });
    return null;
  }
  const rows = [...turns].reverse().map((turn) => turnRow(turn, desk));
  rows.push({ value: "0", label: desk.texts.turnZero, note: "" });
  const value = await desk.choose<string | null>(
    { kind: "picker", title: "pickTurn", rows, cursor: Math.min(1, rows.length - 1) },
    null,
  );
  return value === null ? null : Number(value);
}

function turnRow({ turn, files, prompt }: SnapshotTurn, { texts }: Desk) {
  const count = files.length === 1 ? (files[0] ?? "") : fill(texts.turnFiles, { count: files.length });
  return {
    value: String(turn),
    label: fill(texts.turnRow, { turn }),
    note: [prompt ?? "", count].filter((part) => part !== "").join(" · "),
  };
}

function confirmOf(turn: number, plan: RestoreResult): Confirm {
  const untouched = plan.restored.filter((path) => !plan.overwritten.includes(path));
  const groups: Confirm["groups"] = [
    { title: "rollbackRestores", tone: "plain", paths: untouched },
    { title: "rollbackOverwrites", tone: "warn", paths: plan.overwritten },
    { title: "rollbackDeletes", tone: "warn", paths: plan.deleted },
    { title: "rollbackMissing", tone: "warn", paths: plan.missing },
    { title: "rollbackUncovered", tone: "plain", paths: plan.uncovered.map(({ path }) => path) },
  ];
  const title = turn === 0 ? "confirmRollbackZero" : "confirmRollback";
  return {
    kind: "confirm",
    title,
    values: { turn },
    groups: groups.filter((group) => group.paths.length > 0),
    refused: false,
  };
}

/** What stays as it is, and why: a failed path is among the missing ones, too, and is told once. */
function leftovers({ missing, failed }: RestoreResult) {
  const failures = new Set(failed.map(({ path }) => path));
  const rows = [
    { text: "rollbackMissing" as const, paths: missing.filter((path) => !failures.has(path)) },
    { text: "rollbackFailed" as const, paths: failed.map(({ path, reason }) => `${path} (${reason})`) },
  ];
  return rows
    .filter(({ paths }) => paths.length > 0)
    .map(({ text, paths }) => ({ kind: "notice" as const, tone: "warn" as const, text, detail: paths.join(", ") }));
}

function parseTurn(argument: string, least: number): number | undefined | "bad" {
  if (argument === "") return undefined;
  return /^\d{1,9}$/.test(argument) && Number(argument) >= least ? Number(argument) : "bad";
}

function badTurn(value: string) {
  return { kind: "notice" as const, tone: "warn" as const, text: "turnNumberBad" as const, values: { value } };
}
