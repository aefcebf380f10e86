/** Key, endpoint and model: what is set, whether the endpoint answers, and whether it knows the model. */

import { join } from "node:path";
import { createProvider } from "../../sessions/sessionProvider";
import { errorSentence } from "../../shared/errorSentence";
import { isModelError, messageOf } from "../../shared/errors";
import { fill } from "../../shared/locales";
import type { Settings } from "../settings";
import type { Check } from "./check";

/** An endpoint that takes longer to list its models is told as not reachable. */
const PATIENCE_MS = 10_000;

export async function* endpointChecks(settings: Settings): AsyncGenerator<Check> {
  const { texts, apiKey } = settings;
  const path = configPath(settings);
  if (apiKey === undefined) {
    yield { name: "key", state: "bad", text: fill(texts.cli.doctorKeyMissing, { path }) };
    yield {
      name: "endpoint",
      state: "note",
      text: fill(texts.cli.doctorEndpointWait, { url: createProvider(settings).baseURL }),
    };
    yield modelCheck(settings, undefined);
    return;
  }
  yield { name: "key", state: "good", text: masked(apiKey) };
  const { check, models } = await askEndpoint(settings);
  yield check;
  yield modelCheck(settings, models);
}

export function configPath({ home }: Settings): string {
  return join(home, "config.json");
}

interface Asked {
  check: Check;
  /** Absent where it could not be asked. */
  models?: string[];
}

async function askEndpoint(settings: Settings): Promise<Asked> {
  const provider = createProvider(settings);
  const began = performance.now();
  try {
    const models = await provider.models(AbortSignal.timeout(PATIENCE_MS));
    const ms = Math.round(performance.now() - began);
    const text = fill(settings.texts.cli.doctorEndpointUp, { url: provider.baseURL, ms });
    return { check: { name: "endpoint", state: "good", text }, models: models.map(({ id }) => id) };
  } catch (error) {
    const facts = isModelError(error)
      ? { error: error.message, error_type: error.errorType }
      : { error: messageOf(error), error_type: "network" };
    return { check: { name: "endpoint", state: "bad", text: errorSentence(settings.texts.errors, facts) } };
  }
}

function modelCheck(settings: Settings, models: string[] | undefined): Check {
  const { model, texts } = settings;
  const name = "model";
  if (model === undefined)
    return { name, state: "bad", text: fill(texts.cli.doctorModelMissing, { path: configPath(settings) }) };
  if (models === undefined) return { name, state: "note", text: model };
  if (models.length === 0) return { name, state: "note", text: fill(texts.cli.doctorModelNoList, { model }) };
  if (models.includes(model)) return { name, state: "good", text: fill(texts.cli.doctorModelListed, { model }) };
  const names = nearest(model, models).join(", ");
  return { name, state: "bad", text: fill(texts.cli.doctorModelUnlisted, { model, count: models.length, names }) };
}

/** Names that share the longest beginning with the wanted one, or hold a part of it. */
function nearest(wanted: string, models: string[]): string[] {
  const parts = wanted
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part.length > 1);
  const score = (id: string) =>
    parts.filter((part) => id.toLowerCase().includes(part)).length * 100 + commonStart(id, wanted);
  return [...models].sort((a, b) => score(b) - score(a)).slice(0, 5);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function masked(key: string): string {
  return key.length < 12 ? "…" : `${key.slice(0, 3)}…${key.slice(-4)}`;
}
