/** What each slash command does with the session, and what it says on the screen. Errors are said, never thrown. */

import { messageOf } from "../shared/errors";
import { EventType, type WsEvent } from "../shared/events";
import { fill } from "../shared/locales";
import type { CommandDesk } from "./CommandDesk";
import { type CommandName, commands, isModeName, modes, modeTexts } from "./commands";
import { rollBack, showDiff } from "./rollbackRuns";
import type { TextKey } from "./state/texts";
import { whenText } from "./view/figures";
import { sheetLines } from "./view/popup";

export async function runCommand(desk: CommandDesk, name: CommandName, argument: string): Promise<void> {
  try {
    await runs[name](desk, argument);
  } catch (error) {
    desk.say({
      kind: "notice",
      tone: "bad",
      text: "errorCommand",
      values: { command: `/${name}` },
      detail: messageOf(error),
    });
  }
}

const runs: Record<CommandName, (desk: CommandDesk, argument: string) => Promise<void> | void> = {
  help: showHelp,
  model: setModel,
  mode: setMode,
  new: async (desk) => {
    await desk.open({ kind: "new" });
    notice(desk, "good", "sessionNew");
  },
  compact,
  diff: showDiff,
  rollback: rollBack,
  resume,
  retry: (desk) =>
    desk.follow(
      orSay(desk.session.retry(), () => notice(desk, "plain", "retryNothing")),
      "waiting",
    ),
  quit: (desk) => desk.leave(),
};

function showHelp({ say, texts }: CommandDesk): void {
  const usage = commands.map(
    (command) => [`/${command.name} ${command.argument}`.trim(), texts[command.text]] as const,
  );
  say(
    { kind: "table", title: "helpTitle", rows: usage },
    { kind: "table", title: "sheetTitle", rows: sheetLines(texts) },
  );
}

function setModel(desk: CommandDesk, name: string): void {
  if (name === "") {
    notice(desk, "plain", "modelIs", { model: desk.session.model });
    return;
  }
  desk.session.setModel(name);
  desk.refresh();
  notice(desk, "good", "modelNow", { model: name });
}

async function setMode(desk: CommandDesk, argument: string): Promise<void> {
  const mode = argument === "" ? await pickMode(desk) : argument.toLowerCase();
  if (mode === null) return;
  if (!isModeName(mode)) return notice(desk, "warn", "modeUnknown", { mode, modes: modes.join(", ") });
  desk.session.setMode(mode);
  desk.refresh();
  notice(desk, mode === "auto" ? "warn" : "good", "modeNow", { mode });
}

function pickMode({ choose, texts, session }: CommandDesk): Promise<string | null> {
  const rows = modes.map((mode) => ({ value: mode, label: mode, note: texts[modeTexts[mode]] }));
  const cursor = Math.max(0, (modes as readonly string[]).indexOf(session.mode));
  return choose({ kind: "picker", title: "pickMode", rows, cursor }, null);
}

function compact(desk: CommandDesk, focus: string): void {
  if (focus.toLowerCase() !== "undo") {
    const isWord = ({ type }: WsEvent) => type === EventType.COMPACTED || type === EventType.ERROR;
    const events = desk.session.compact(focus || undefined);
    desk.follow(
      orSay(events, () => notice(desk, "plain", "compactNeedless"), isWord),
      "compacting",
    );
    return;
  }
  const isUndone = desk.session.uncompact();
  desk.refresh();
  notice(desk, isUndone ? "good" : "plain", isUndone ? "compactUndone" : "compactNothing");
}

/** What came to nothing says so. `isWord`: this event is something. */
async function* orSay(
  events: AsyncIterable<WsEvent>,
  say: () => void,
  isWord: (event: WsEvent) => boolean = () => true,
): AsyncGenerator<WsEvent> {
  let isQuiet = true;
  for await (const event of events) {
    if (isWord(event)) isQuiet = false;
    yield event;
  }
  if (isQuiet) say();
}

async function resume(desk: CommandDesk, argument: string): Promise<void> {
  const id = argument === "" ? await pickSession(desk) : argument;
  if (id !== null) await desk.open({ kind: "resume", id });
}

async function pickSession(desk: CommandDesk): Promise<string | null> {
  const past = (await desk.session.sessions()).filter((other) => other.id !== desk.session.id);
  if (past.length === 0) {
    notice(desk, "plain", "noSessions");
    return null;
  }
  const rows = past.map((other) => ({
    value: other.id,
    label: other.name ?? other.firstPrompt ?? other.id,
    note: `${whenText(other.updated)} · ${fill(desk.texts.sessionTurns, { count: other.turns })} · ${other.id}`,
  }));
  return desk.choose({ kind: "picker", title: "pickSession", rows, cursor: 0 }, null);
}

function notice(
  desk: CommandDesk,
  tone: "plain" | "good" | "warn",
  text: TextKey,
  values?: Record<string, string | number>,
): void {
  desk.say({ kind: "notice", tone, text, values });
}
