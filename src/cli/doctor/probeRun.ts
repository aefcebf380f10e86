/** `zqagent doctor --probe`: says what it costs, asks, reports what the endpoint can do, and writes settings if wished. */

import { PROBE_COST, type ProbeFinding, type ProbeName, type ProbeReport, probeEndpoint } from "../../index";
import { visibleText } from "../../render/sanitize";
import { padEnd } from "../../render/width";
import { keepEndpoints, readEndpoints } from "../../sessions/endpointMemory";
import { costOf } from "../../sessions/Spending";
import { createProvider } from "../../sessions/sessionProvider";
import { fill } from "../../shared/locales";
import { ExitCode } from "../exitCodes";
import type { DoctorOptions } from "../program";
import { confirmed, isAskable } from "../question";
import type { Settings } from "../settings";
import { usageError } from "../usageError";
import { writeUserConfig } from "../writeUserConfig";
import { configPath } from "./endpointChecks";

const NAMES: Record<ProbeName, string> = {
  models: "models",
  responses: "Responses API",
  chat: "Chat Completions",
  streaming: "streaming",
  tools: "tool calls",
  parallel: "parallel calls",
  images: "images",
  reasoning: "reasoning",
  usage: "usage",
};
const NAME_WIDTH = 18;
const MARKS: Record<ProbeFinding["answer"], string> = { yes: "✓", no: "✗", unclear: "?" };

export async function runProbe(settings: Settings, options: DoctorOptions): Promise<number> {
  const { apiKey, model, texts } = settings;
  if (apiKey === undefined) throw usageError(texts.cli.noKey);
  if (model === undefined) throw usageError(texts.cli.noModel);
  const tell = options.json ? () => {} : say;
  if (!(await mayGoOn(settings, model, { isYes: options.yes, tell }))) return ExitCode.COMPLETED;
  const report = await probe(settings, model, (finding) => tell(findingRow(finding, settings)));
  await keepEndpoints(settings.home, report.learned).catch(() => undefined);
  if (options.json) say(JSON.stringify(withoutLessons(report)));
  else await conclude(report, settings, options.yes);
  return report.findings.some(({ name, answer }) => isWay(name) && answer === "yes")
    ? ExitCode.COMPLETED
    : ExitCode.ERROR;
}

interface Manner {
  isYes: boolean;
  tell(text: string): void;
}

async function mayGoOn(settings: Settings, model: string, { isYes, tell }: Manner): Promise<boolean> {
  const { cli } = settings.texts;
  const { requests, tokens } = PROBE_COST;
  const url = createProvider(settings).baseURL;
  tell(fill(cli.probeCost, { requests, tokens, url: visibleText(url), model: visibleText(model) }));
  const price = costOf({ input: tokens / 2, output: tokens / 2 }, model);
  if (price !== undefined) tell(fill(cli.probePrice, { price: price.toFixed(4) }));
  if (isYes) return true;
  if (!isAskable()) throw usageError(cli.probeNeedsYes);
  if (await confirmed(cli.probeQuestion)) return true;
  tell(cli.probeAborted);
  return false;
}

function probe(settings: Settings, model: string, onFinding: (finding: ProbeFinding) => void): Promise<ProbeReport> {
  const { apiKey, baseUrl, headers, query, home } = settings;
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  return probeEndpoint(
    {
      model,
      signal: stop.signal,
      knownEndpoints: readEndpoints(home),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
      ...(headers === undefined ? {} : { headers }),
      ...(query === undefined ? {} : { query }),
    },
    onFinding,
  );
}

function findingRow({ name, answer, evidence }: ProbeFinding, { texts }: Settings): string {
  const words = { yes: texts.cli.probeYes, no: texts.cli.probeNo, unclear: texts.cli.probeUnclear };
  return `${MARKS[answer]} ${padEnd(NAMES[name], NAME_WIDTH)}${words[answer]}: ${visibleText(evidence)}`;
}

/** `isQuiet`: nothing is asked any more, so nothing is written. */
async function conclude(report: ProbeReport, settings: Settings, isQuiet: boolean): Promise<void> {
  const { cli } = settings.texts;
  if (report.traits.length > 0) {
    say(`\n${cli.probeTraits}`);
    for (const { kind, evidence } of report.traits) say(`  ${padEnd(kind, NAME_WIDTH)} ${visibleText(evidence)}`);
  }
  const wanted = Object.entries(report.settings).filter(([key, value]) => settings[key as "apiMode"] !== value);
  if (wanted.length === 0) return say(`\n${cli.probeNoSettings}`);
  say(`\n${cli.probeSettings}`);
  for (const [key, value] of wanted) say(`  ${key} = ${value}`);
  const path = configPath(settings);
  if (isQuiet || !isAskable() || !(await confirmed(fill(cli.probeWrite, { path })))) return;
  await writeUserConfig(settings.home, Object.fromEntries(wanted), settings.texts);
  say(fill(cli.probeWritten, { path }));
}

function withoutLessons({ learned: _learned, ...report }: ProbeReport): Omit<ProbeReport, "learned"> {
  return report;
}

function isWay(name: ProbeName): boolean {
  return name === "responses" || name === "chat";
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
