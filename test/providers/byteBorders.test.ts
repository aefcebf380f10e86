/** A law of all stream cases: where the network cuts the bytes makes no difference to what comes of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchange } from "../../src/providers/exchange";
import { Refused } from "../../src/providers/reply";
import { runCase } from "./caseRun";
import { bytesOf, type CaseResponse, type DialectCase } from "./dialectCase";
import { startReplay } from "./replayServer";

const dir = join(import.meta.dirname, "cases");
const cases = readdirSync(dir).map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")) as DialectCase);
const streams = cases.flatMap((dialect) =>
  [dialect.response].flat().map((response, index) => [`${dialect.id} ${index}`, dialect.api, response] as const),
);
const TOOLS = new Set(["read_file", "write_file", "run_shell", "grep", "git_status"]);

/** Everything that comes of the bytes: text, thinking, the last chunk, or the refusal. */
async function outcome(api: "chat" | "responses", response: CaseResponse, pieces: Buffer[]) {
  const seen = { content: "", reasoning: "", last: {} as object };
  const answer = {
    status: response.status,
    headers: response.headers,
    url: "http://test/v1",
    body: (async function* () {
      yield* pieces;
    })(),
  };
  const context = { isTool: (name: string) => TOOLS.has(name), takenIds: new Set<string>(), thinksUnopened: false };
  try {
    for await (const chunk of exchange({
      call: async () => answer,
      api,
      raw: "{}",
      signal: new AbortController().signal,
      context,
    })) {
      seen.content += chunk.content ?? "";
      seen.reasoning += chunk.reasoning ?? "";
      if (chunk.finishReason !== null) seen.last = chunk;
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...seen, refused: { ...error.verdict, retryAfterMs: undefined } };
  }
  return seen;
}

const wholeOf = (response: CaseResponse) => Buffer.concat(response.chunks.map(bytesOf));
const apiOf = (api: "chat" | "responses", { chunks }: CaseResponse) =>
  JSON.stringify(chunks).includes("chat.completion") ? "chat" : api;

describe("byte borders", () => {
  test.each(streams)("%s: one cut anywhere, and every byte alone", async (_, caseApi, response) => {
    const api = apiOf(caseApi, response);
    const bytes = wholeOf(response);
    const wanted = await outcome(api, response, [bytes]);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await outcome(api, response, [bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(wanted);
    }
    expect(
      await outcome(
        api,
        response,
        Array.from(bytes, (byte) => Buffer.from([byte])),
      ),
    ).toEqual(wanted);
  });

  test("over the network as well, cut in several places", async () => {
    const whole = cases.filter(
      (dialect) => !Array.isArray(dialect.response) && !dialect.response.end && dialect.response.status === 200,
    );
    const cuts = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...whole), cuts, async (dialect, at) => {
        const { url } = await startReplay(
          dialect,
          [...new Set(at)].sort((a, b) => a - b),
        );
        const run = await runCase(dialect, url);
        expect(run.error?.errorType).toBe(dialect.expect.error?.class);
        if (dialect.expect.text !== undefined) expect(run.rounds.at(-1)?.text).toBe(dialect.expect.text);
      }),
      { numRuns: 40 },
    );
  });
});
