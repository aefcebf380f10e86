/** A session on the command line: on a terminal the screen, else one turn and its answer. */

import { messageOf } from "../shared/errors";
import { isTerminal } from "./isTerminal";
import type { Choice } from "./openSession";
import type { RunOptions } from "./program";
import { resolveSettings, type Settings } from "./settings";
import { readStdin } from "./stdin";
import { usageError } from "./usageError";

const NEW: Choice = { kind: "new" };

export async function runSession(options: RunOptions): Promise<number> {
  const settings = resolveSettings(options);
  requireModel(settings);
  await requireSandbox(settings);
  if (isTerminal() && !settings.screenReader && !options.print) {
    const { runScreen } = await import("./screen");
    const picks = options.resume === true;
    const choice = picks ? NEW : await resolveChoice(options, settings);
    return runScreen(settings, { choice, prompt: picks ? "/resume" : options.prompt, color: options.color });
  }
  return runWithoutScreen(options, settings);
}

async function runWithoutScreen(options: RunOptions, settings: Settings): Promise<number> {
  if (isLineMode(options))
    return (await import("./lineMode")).runLineMode(settings, await resolveChoice(options, settings), options.prompt);
  const input = await readStdin(options.prompt !== "");
  const prompt = withInput(options.prompt, input, settings);
  if (prompt === "") throw usageError(settings.texts.cli.noPrompt);
  const { runPiped } = await import("./piped");
  return runPiped(settings, { choice: await resolveChoice(options, settings), prompt, format: options.outputFormat });
}

function isLineMode(options: RunOptions): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && !options.print;
}

/** Stdin beside a prompt is data: it is fenced and named as such. */
function withInput(prompt: string, input: string, settings: Settings): string {
  if (input === "" || prompt === "") return prompt || input;
  return `${prompt}\n\n${settings.texts.cli.stdinNote}\n<stdin>\n${input.replaceAll("</stdin>", "<\\/stdin>")}\n</stdin>`;
}

/** No model is chosen for the user, and without a key nothing can be asked. */
function requireModel(settings: Settings): void {
  if (settings.apiKey === undefined) throw usageError(settings.texts.cli.noKey);
  if (settings.model === undefined) throw usageError(settings.texts.cli.noModel);
}

/** Where commands must be confined and cannot be, nothing is opened. */
async function requireSandbox(settings: Settings): Promise<void> {
  if (settings.sandbox.mode !== "required") return;
  const { resolveSandbox } = await import("../index");
  try {
    resolveSandbox(settings.sandbox, settings.workspace);
  } catch (error) {
    throw usageError(settings.texts.cli.sandboxMissing, { problem: messageOf(error) });
  }
}

/** Throws UsageError when the session that was asked for cannot be told. */
async function resolveChoice(options: RunOptions, settings: Settings): Promise<Choice> {
  if (!options.continue && options.resume === undefined) return NEW;
  const { findSession, newestSession } = await import("./findSession");
  if (typeof options.resume === "string") return { kind: "resume", id: findSession(settings, options.resume).id };
  if (!options.continue) throw usageError(settings.texts.cli.noTerminal);
  return { kind: "resume", id: newestSession(settings).id };
}
