/** `zqagent sessions list|show`: past sessions, as text or as JSON. */

import { plainText, visibleText } from "../render/sanitize";
import { readConversation } from "../sessions/readState";
import { type SessionMeta, SessionStore } from "../sessions/SessionStore";
import { fill } from "../shared/locales";
import { textOf } from "../shared/messages";
import { typedText } from "../shared/reminders";
import { ExitCode } from "./exitCodes";
import { sessionOf } from "./findSession";
import type { SessionsOptions } from "./program";
import { resolveSettings, type Settings } from "./settings";

export function listSessions(options: SessionsOptions): number {
  const settings = resolveSettings(options);
  const sessions = new SessionStore(settings.home).list(options.all ? undefined : settings.workspace);
  if (options.json) process.stdout.write(`${JSON.stringify(sessions)}\n`);
  else if (sessions.length === 0) process.stdout.write(`${settings.texts.cli.sessionsEmpty}\n`);
  else process.stdout.write(sessions.map((meta) => `${row(meta, options.all, settings)}\n`).join(""));
  return ExitCode.COMPLETED;
}

export async function showSession(options: SessionsOptions): Promise<number> {
  const settings = resolveSettings(options);
  const meta = sessionOf(settings, options.id);
  const messages = await readConversation(new SessionStore(settings.home), meta.id);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ...meta, messages })}\n`);
    return ExitCode.COMPLETED;
  }
  const { cli } = settings.texts;
  for (const message of messages) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const calls = (message.tool_calls ?? []).map((call) => `  [${visibleText(call.function.name)}]`);
    const text = (message.role === "user" ? typedText(message) : textOf(message.content)).trim();
    if (text === "" && calls.length === 0) continue;
    const who = message.role === "user" ? cli.roleUser : cli.roleAssistant;
    process.stdout.write(`${who}:\n${[plainText(text), ...calls].filter((line) => line !== "").join("\n")}\n\n`);
  }
  return ExitCode.COMPLETED;
}

function row(meta: SessionMeta, all: boolean, settings: Settings): string {
  const when = meta.updated.slice(0, 16).replace("T", " ");
  const title = visibleText((meta.name ?? meta.firstPrompt ?? "").replace(/\s+/g, " ")).slice(0, 80);
  const turns = fill(settings.texts.cli.sessionsTurns, { count: meta.turns });
  return [meta.id, when, turns, ...(all ? [visibleText(meta.workspace)] : []), title].join("  ");
}
