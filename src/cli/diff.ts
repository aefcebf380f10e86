/** `zqagent diff [--turn N]`: what a turn changed, as a unified diff. */

import { plainText } from "../render/sanitize";
import { SessionSnapshots } from "../sessions/SessionSnapshots";
import { ExitCode } from "./exitCodes";
import { sessionOf } from "./findSession";
import type { DiffOptions } from "./program";
import { resolveSettings } from "./settings";
import { usageError } from "./usageError";

export async function runDiff(options: DiffOptions): Promise<number> {
  const settings = resolveSettings(options);
  const session = sessionOf(settings, options.session);
  const snapshots = await SessionSnapshots.open(session.workspace, session.id, settings.vcs);
  if (snapshots.off !== undefined) throw usageError(settings.texts.cli.vcsOff, { reason: snapshots.off });
  const turns = await snapshots.turns();
  const turn = options.turn ?? turns.at(-1)?.turn;
  if (turn === undefined) {
    process.stdout.write(options.json ? "{}\n" : `${settings.texts.cli.diffEmpty}\n`);
    return ExitCode.COMPLETED;
  }
  if (!turns.some((entry) => entry.turn === turn)) {
    const known = turns.map((entry) => entry.turn).join(", ") || "-";
    throw usageError(settings.texts.cli.noTurn, { turn, id: session.id, turns: known });
  }
  const diff = await snapshots.diff(turn);
  const entry = turns.find((candidate) => candidate.turn === turn);
  process.stdout.write(options.json ? `${JSON.stringify({ ...entry, diff })}\n` : `${plainText(diff)}\n`);
  return ExitCode.COMPLETED;
}
