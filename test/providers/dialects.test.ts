import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolCall } from "../../src/shared/messages";
import { type CaseRun, runCase } from "./caseRun";
import { type DialectCase, type ExpectedCall, holds, type RecordedRequest } from "./dialectCase";
import { moreCases } from "./moreCases/index";
import { startReplay } from "./replayServer";

const dir = join(import.meta.dirname, "cases");
const recorded = readdirSync(dir).map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")) as DialectCase);
const cases = [...recorded, ...moreCases];
const groups = [...new Set(cases.map((dialect) => dialect.kind))].map(
  (kind) => [kind, cases.filter((dialect) => dialect.kind === kind)] as const,
);

describe.each(groups)("%s", (_, group) => {
  test.each(group.map((dialect) => [dialect.id, dialect] as const))("%s", async (_id, dialect) => {
    const { url, log } = await startReplay(dialect);
    const run = await runCase(dialect, url);
    expectEnd(dialect, run);
    expectRecovery(dialect, run, log);
    expectRequests(dialect, log);
  });
});

function expectEnd({ expect: wanted }: DialectCase, run: CaseRun): void {
  if (wanted.error) {
    expect(run.error, "an error").toBeDefined();
    const { errorType, retriable, retryAfterMs } = run.error!;
    expect({ errorType, retriable }).toEqual({ errorType: wanted.error.class, retriable: wanted.error.retriable });
    if (wanted.error.retryAfterMs !== undefined) expect(retryAfterMs).toBe(wanted.error.retryAfterMs);
    expect(run.error!.message).not.toContain("sk-test");
  } else {
    expect(run.error).toBeUndefined();
  }
  const last = run.rounds.at(-1)!;
  if (wanted.text !== undefined) expect(last.text).toBe(wanted.text);
  if (wanted.reasoning !== undefined) expect(last.reasoning).toBe(wanted.reasoning);
  if (wanted.withinMs !== undefined) expect(run.ms).toBeLessThan(wanted.withinMs);
  if (wanted.error) return;
  if (wanted.finish) expect(last.last?.finishReason).toBe(wanted.finish);
  if (wanted.usage) expect(last.last?.usage).toEqual(wanted.usage);
  if (wanted.toolCalls)
    expectCalls(last.last?.finishReason === "length" ? [] : (last.last?.toolCalls ?? []), wanted.toolCalls);
  for (const [index, round] of (wanted.rounds ?? []).entries()) {
    expect(run.rounds[index]?.last?.finishReason).toBe(round.finish);
    expectCalls(run.rounds[index]?.last?.toolCalls ?? [], round.toolCalls);
  }
}

function expectCalls(calls: ToolCall[], wanted: ExpectedCall[]): void {
  expect(calls.map((call) => ({ name: call.function.name, arguments: JSON.parse(call.function.arguments) }))).toEqual(
    wanted.map(({ name, arguments: args }) => ({ name, arguments: args })),
  );
  for (const [index, { id }] of wanted.entries()) {
    if (id !== "*") expect(calls[index]?.id).toBe(id);
    expect(calls[index]?.id).toMatch(/./);
  }
  expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
}

/** A refusal that our requests never provoke needs no recovery. */
function expectRecovery({ expect: { recovers } }: DialectCase, run: CaseRun, log: RecordedRequest[]): void {
  if (!recovers || run.recoveries.length === 0) return;
  expect(log.length).toBeGreaterThan(1);
  const [told] = run.recoveries;
  expect({ class: told?.errorType, retriable: told?.retriable, fallback: told?.fallback }).toEqual({
    class: recovers.class,
    retriable: recovers.retriable,
    fallback: recovers.fallback,
  });
  if (typeof recovers.retryAfterMs === "number") expect(told?.retryAfterMs).toBe(recovers.retryAfterMs);
  if (typeof recovers.retryAfterMs === "string") {
    const [low, high] = recovers.retryAfterMs.split("..").map(Number);
    expect(told?.retryAfterMs).toBeGreaterThanOrEqual(low!);
    expect(told?.retryAfterMs).toBeLessThanOrEqual(high!);
  }
}

function expectRequests({ expect: { requests } }: DialectCase, log: RecordedRequest[]): void {
  if (requests?.max !== undefined) expect(log.length).toBeLessThanOrEqual(requests.max);
  if (requests?.never) expect(log.filter((request) => holds(requests.never, request))).toEqual([]);
  if (requests?.lastNot) expect(holds(requests.lastNot, log.at(-1)!)).toBe(false);
  if (requests?.paths) expect(log.map((request) => request.path.replace("/v1/", ""))).toEqual(requests.paths);
  if (requests?.noChat) expect(log.filter((request) => request.path.endsWith("chat/completions"))).toEqual([]);
  if (requests?.minGapMs !== undefined) expect(log[1]!.at - log[0]!.at).toBeGreaterThanOrEqual(requests.minGapMs);
}
