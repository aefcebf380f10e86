/** `zqagent doctor [--probe]`: what zqagent needs and what it finds, one line each, with the mend. */

import { visibleText } from "../../render/sanitize";
import { ExitCode } from "../exitCodes";
import type { DoctorOptions } from "../program";
import { resolveSettings } from "../settings";
import { type Check, checkRow } from "./check";
import { endpointChecks } from "./endpointChecks";
import { localChecks } from "./localChecks";

/** Returns the exit code: 0 when nothing must be mended. */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  const settings = resolveSettings(options);
  if (options.probe) return (await import("./probeRun")).runProbe(settings, options);
  const checks: Check[] = [];
  for await (const check of allChecks(settings)) {
    checks.push(check);
    if (!options.json) process.stdout.write(`${checkRow(check)}\n`);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(checks.map(plain))}\n`);
  else process.stdout.write(`\n${settings.texts.cli.doctorProbeHint}\n`);
  return checks.some(({ state }) => state === "bad") ? ExitCode.ERROR : ExitCode.COMPLETED;
}

async function* allChecks(settings: ReturnType<typeof resolveSettings>): AsyncGenerator<Check> {
  yield* localChecks(settings);
  yield* endpointChecks(settings);
}

function plain({ name, state, text }: Check): Check {
  return { name, state, text: visibleText(text) };
}
