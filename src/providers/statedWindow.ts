/** Asks an endpoint how large a model's context window is there, where its lists tell. */

import { isIP } from "node:net";
import { windowOfEntry } from "../shared/models";
import { addressClassOf } from "../shared/net/addressClass";
import { readText } from "./exchange";
import type { ClientCall } from "./openaiClient";

/** A model as `GET /models` lists it; some endpoints tell the context window here, each under its own name. */
export interface ListedModel {
  id: string;
  [extra: string]: unknown;
}

export interface WindowQuestion {
  call: ClientCall;
  baseURL: string;
  model: string;
  signal: AbortSignal;
}

const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** What a server loads a model with that has such a list, but says nothing of it. */
const LOADED_UNSAID = 4_096;

/**
 * Whether an endpoint is a server of one's own: it loads a model with a window of its own choice, whatever the model's
 * name promises.
 */
export function isOwnServer(baseURL: string): boolean {
  if (!URL.canParse(baseURL)) return false;
  const host = new URL(baseURL).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return addressClassOf(host) !== "public";
  return !host.includes(".") || /\.(?:local|localhost|internal|lan)$/.test(host);
}

/** Tokens; 0 where the endpoint does not say. Throws what a request throws, and where the endpoint is out of order. */
export async function askWindow(question: WindowQuestion): Promise<number> {
  const { baseURL, model } = question;
  const stated = windowIn(await listAt(question, "/models"), model);
  if (stated !== undefined || !isOwnServer(baseURL)) return stated ?? 0;
  const loaded = await listAt(question, new URL("/api/ps", baseURL).href);
  if (loaded === null) return 0;
  return windowIn(loaded, model) ?? (await askedOf(question)) ?? LOADED_UNSAID;
}

/** The models of a list, in each of the shapes that endpoints give it. */
export function listedModels(text: string): ListedModel[] {
  return (entriesOf(text) ?? []).filter((entry): entry is ListedModel => typeof entry["id"] === "string");
}

/** An answer of a few megabytes at most, whole. Throws what a request throws. */
export async function answerAt(
  { call, signal }: Pick<WindowQuestion, "call" | "signal">,
  path: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const answer = await call(path, { signal, ...(body !== undefined && { body }) });
  return { status: answer.status, text: await readText(answer, MAX_LIST_BYTES) };
}

/** The text of an answer that went well; null when there is no such path. What is out of order now is not learnt. */
async function textAt(question: WindowQuestion, path: string, body?: string): Promise<string | null> {
  const { status, text } = await answerAt(question, path, body);
  if (status === 429 || status >= 500) throw new Error(`${path} answered ${status}`);
  return status === 200 ? text : null;
}

async function listAt(question: WindowQuestion, path: string): Promise<Record<string, unknown>[] | null> {
  const text = await textAt(question, path);
  return text === null ? null : entriesOf(text);
}

/** What the model's own settings say it is loaded with. */
async function askedOf(question: WindowQuestion): Promise<number | undefined> {
  const { baseURL, model } = question;
  const text = await textAt(question, new URL("/api/show", baseURL).href, JSON.stringify({ model }));
  const parameters = text === null ? undefined : objectOf(text)?.["parameters"];
  const set = /^\s*num_ctx\s+(\d+)\s*$/m.exec(String(parameters ?? ""))?.[1];
  return set === undefined ? undefined : Number(set);
}

function windowIn(entries: Record<string, unknown>[] | null, model: string): number | undefined {
  const named = (entry: Record<string, unknown>) => [entry["id"], entry["model"], entry["name"]].includes(model);
  // A tag that nobody wrote is the newest.
  const tagged = (entry: Record<string, unknown>) => entry["name"] === `${model}:latest`;
  const entry = entries?.find(named) ?? entries?.find(tagged);
  return entry && windowOfEntry(entry);
}

function entriesOf(text: string): Record<string, unknown>[] | null {
  const parsed = objectOf(text);
  const list = Array.isArray(parsed) ? parsed : (parsed?.["data"] ?? parsed?.["models"]);
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : null;
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
