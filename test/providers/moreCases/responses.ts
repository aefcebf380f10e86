/** Responses streams with events missing, doubled, out of order, without ids, and failures in each of their forms. */
import type { DialectCase, Json } from "../dialectCase";
import { callItem, completed, event, final, message, responses, retriable, sse, stream, wanted } from "./build";

const good = { text: "Done.", finish: "stop" };
const A = wanted("read_file", { path: "a.txt" });
const B = wanted("read_file", { path: "b.txt" });
const ARGS_A = '{"path":"a.txt"}';
const ARGS_B = '{"path":"b.txt"}';
const both = { text: "", finish: "tool_calls", toolCalls: [A, B] };
const one = { text: "", finish: "tool_calls", toolCalls: [{ ...A, id: "call_a" }] };
const text = (delta: string) => event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta });
const pieces = (place: Json, ...parts: string[]) =>
  parts.map((delta) => event("response.function_call_arguments.delta", { ...place, delta }));
const added = (place: Json, item: Json) => event("response.output_item.added", { ...place, item });
const done = (place: Json, item: Json) => event("response.output_item.done", { ...place, item });
const end = (status: string, more: Json) =>
  event(`response.${status}`, { response: { id: "resp_1", object: "response", status, output: [], ...more } });

const texts: DialectCase[] = [
  responses(
    "responses-events/text-in-the-done-event",
    [event("response.output_text.done", { item_id: "msg_1", output_index: 0, text: "Done." }), completed([])],
    good,
  ),
  responses(
    "responses-events/text-in-the-part",
    [
      event("response.content_part.done", {
        item_id: "msg_1",
        output_index: 0,
        part: { type: "output_text", text: "Done." },
      }),
      completed([]),
    ],
    good,
  ),
  responses("responses-events/text-in-the-item", [done({ output_index: 0 }, message("Done.")), completed([])], good),
  responses("responses-events/text-in-the-end-alone", [completed([message("Done.")])], good),
  responses(
    "responses-events/text-told-four-times",
    [
      text("Do"),
      text("ne."),
      event("response.output_text.done", { item_id: "msg_1", output_index: 0, text: "Done." }),
      event("response.content_part.done", {
        item_id: "msg_1",
        output_index: 0,
        part: { type: "output_text", text: "Done." },
      }),
      done({ output_index: 0 }, message("Done.")),
      completed([message("Done.")]),
    ],
    good,
  ),
  responses(
    "responses-events/two-messages",
    [
      event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta: "Do" }),
      event("response.output_text.delta", { item_id: "msg_2", output_index: 1, delta: "ne." }),
      completed([message("Do", "msg_1"), message("ne.", "msg_2")]),
    ],
    good,
  ),
  responses(
    "responses-events/second-message-in-the-end-alone",
    [
      event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta: "Do" }),
      completed([message("Do", "msg_1"), message("ne.", "msg_2")]),
    ],
    good,
  ),
  responses(
    "responses-events/no-types-but-names",
    [
      sse({ item_id: "msg_1", delta: "Done." }, "response.output_text.delta"),
      sse({ response: { status: "completed", output: [] } }, "response.completed"),
    ],
    good,
  ),
  responses(
    "responses-events/types-without-names",
    [
      sse({ type: "response.output_text.delta", delta: "Done." }),
      sse({ type: "response.completed", response: { status: "completed" } }),
    ],
    good,
  ),
  responses("responses-events/done-in-place-of-completed", [text("Done."), end("done", { status: "completed" })], good),
  responses("responses-events/mark-behind-the-end", [text("Done."), completed([]), "data: [DONE]\n\n"], good),
  responses(
    "responses-events/unknown-events",
    [
      event("response.queued", { response: {} }),
      event("keepalive", { sequence_number: 1 }),
      event("response.web_search_call.searching", { item_id: "ws_1" }),
      text("Done."),
      event("response.output_text.annotation.added", { annotation: {} }),
      completed([message("Done.")]),
    ],
    good,
  ),
  responses(
    "responses-events/refusal",
    [event("response.refusal.delta", { item_id: "msg_1", delta: "No." }), completed([])],
    { text: "No.", finish: "stop" },
  ),
  responses(
    "responses-events/numbers-skip",
    [
      event("response.created", { sequence_number: 0, response: {} }),
      event("response.output_text.delta", { sequence_number: 9, delta: "Done." }),
      completed([message("Done.")]),
    ],
    good,
  ),
  responses(
    "responses-events/whole-object",
    {
      status: 200,
      headers: { "content-type": "application/json" },
      chunks: [
        JSON.stringify({
          id: "resp_1",
          object: "response",
          status: "completed",
          error: null,
          output: [message("Done.")],
          usage: { input_tokens: 20, output_tokens: 2 },
        }),
      ],
    },
    { ...good, usage: { input: 20, output: 2 } },
  ),
  responses(
    "responses-events/summary-in-parts",
    [
      event("response.reasoning_summary_text.delta", { item_id: "rs_1", summary_index: 0, delta: "One." }),
      event("response.reasoning_summary_text.delta", { item_id: "rs_1", summary_index: 1, delta: "Two." }),
      text("Done."),
      completed([]),
    ],
    { ...good, reasoning: "One.\n\nTwo." },
  ),
  responses(
    "responses-events/raw-thinking",
    [
      event("response.reasoning_text.delta", { item_id: "rs_1", content_index: 0, delta: "Hm." }),
      text("Done."),
      completed([]),
    ],
    { ...good, reasoning: "Hm." },
  ),
  responses(
    "responses-events/summary-in-the-done-event",
    [
      event("response.reasoning_summary_text.done", { item_id: "rs_1", summary_index: 0, text: "Hm." }),
      text("Done."),
      completed([]),
    ],
    { ...good, reasoning: "Hm." },
  ),
  responses(
    "responses-events/summary-in-the-item",
    [
      done({ output_index: 0 }, { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }),
      text("Done."),
      completed([]),
    ],
    { ...good, reasoning: "Hm." },
  ),
];

const fc = (name: string) => ({ id: `fc_${name}`, output_index: name === "a" ? 0 : 1 });
const calls: DialectCase[] = [
  responses(
    "responses-events/call-item-done-alone",
    [done({ output_index: 0 }, callItem("fc_a", "call_a", "read_file", ARGS_A)), completed([])],
    one,
  ),
  responses(
    "responses-events/call-in-the-end-alone",
    [completed([callItem("fc_a", "call_a", "read_file", ARGS_A)])],
    one,
  ),
  responses(
    "responses-events/call-without-item-id",
    [
      added({ output_index: 0 }, callItem(undefined, "call_a", "read_file", "")),
      ...pieces({ output_index: 0 }, '{"path":', '"a.txt"}'),
      completed([]),
    ],
    one,
  ),
  responses(
    "responses-events/call-by-call-id",
    [
      added({}, callItem(undefined, "call_a", "read_file", "")),
      ...pieces({ call_id: "call_a" }, ARGS_A),
      completed([]),
    ],
    one,
  ),
  responses(
    "responses-events/call-id-in-place-of-item-id",
    [
      added({ output_index: 0 }, callItem("fc_a", "call_a", "read_file", "")),
      ...pieces({ item_id: "call_a" }, ARGS_A),
      completed([]),
    ],
    one,
  ),
  responses(
    "responses-events/one-place-for-both",
    [
      added({ output_index: 0 }, callItem("fc_a", "call_a", "read_file", "")),
      ...pieces({ output_index: 0, item_id: "fc_a" }, ARGS_A),
      added({ output_index: 0 }, callItem("fc_b", "call_b", "read_file", "")),
      ...pieces({ output_index: 0, item_id: "fc_b" }, ARGS_B),
      completed([]),
    ],
    both,
  ),
  responses(
    "responses-events/no-place-for-either",
    [
      added({}, callItem(undefined, "call_a", "read_file", "")),
      ...pieces({}, '{"path":', '"a.txt"}'),
      event("response.function_call_arguments.done", { arguments: ARGS_A }),
      added({}, callItem(undefined, "call_b", "read_file", "")),
      ...pieces({}, '{"path":', '"b.txt"}'),
      event("response.function_call_arguments.done", { arguments: ARGS_B }),
      completed([]),
    ],
    both,
  ),
  responses(
    "responses-events/interleaved",
    [
      added(fc("a"), callItem("fc_a", "call_a", "read_file", "")),
      added(fc("b"), callItem("fc_b", "call_b", "read_file", "")),
      ...pieces({ item_id: "fc_b" }, '{"path":"b'),
      ...pieces({ item_id: "fc_a" }, '{"path":"a'),
      ...pieces({ item_id: "fc_b" }, '.txt"}'),
      ...pieces({ item_id: "fc_a" }, '.txt"}'),
      done(fc("b"), callItem("fc_b", "call_b", "read_file", ARGS_B)),
      done(fc("a"), callItem("fc_a", "call_a", "read_file", ARGS_A)),
      completed([callItem("fc_a", "call_a", "read_file", ARGS_A), callItem("fc_b", "call_b", "read_file", ARGS_B)]),
    ],
    both,
  ),
  responses(
    "responses-events/other-ids-at-the-end",
    [
      added(fc("a"), callItem("fc_a", "call_a", "read_file", "")),
      ...pieces(fc("a"), ARGS_A),
      done(fc("a"), callItem("fc_x", "call_a", "read_file", ARGS_A)),
      completed([callItem("fc_y", "call_a", "read_file", ARGS_A)]),
    ],
    one,
  ),
  responses(
    "responses-events/arguments-as-object",
    [done({ output_index: 0 }, callItem("fc_a", "call_a", "read_file", { path: "a.txt" })), completed([])],
    one,
  ),
  responses(
    "responses-events/no-call-id",
    [done({ output_index: 0 }, callItem("fc_a", undefined, "read_file", ARGS_A)), completed([])],
    { text: "", finish: "tool_calls", toolCalls: [A] },
  ),
  responses(
    "responses-events/no-arguments",
    [done({ output_index: 0 }, callItem("fc_a", "call_a", "git_status", "")), completed([])],
    { text: "", finish: "tool_calls", toolCalls: [wanted("git_status", {})] },
  ),
  responses(
    "truncation/call-cut-by-the-limit",
    [
      added(fc("a"), callItem("fc_a", "call_a", "write_file", "")),
      ...pieces(fc("a"), '{"path":"a.txt","content":"x'),
      end("incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
    ],
    { text: "", finish: "length", toolCalls: [] },
  ),
  responses(
    "truncation/text-cut-by-the-limit",
    [text("Half"), end("incomplete", { incomplete_details: { reason: "max_output_tokens" } })],
    { text: "Half", finish: "length" },
  ),
  responses(
    "truncation/status-inside-completed",
    [text("Half"), completed([], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })],
    { text: "Half", finish: "length" },
  ),
];

const failures: [string, unknown[], DialectCase["expect"]][] = [
  [
    "error-event",
    [
      text("Wor"),
      sse(
        { type: "error", code: "server_error", message: "The server had an error", param: null, sequence_number: 3 },
        "error",
      ),
    ],
    { text: "Wor", ...retriable("server") },
  ],
  [
    "error-event-nested",
    [
      sse(
        {
          type: "error",
          error: {
            type: "invalid_request_error",
            code: "context_length_exceeded",
            message: "Your input exceeds the context window of this model.",
          },
        },
        "error",
      ),
    ],
    final("context_overflow"),
  ],
  [
    "failed-limit",
    [
      end("failed", {
        error: {
          code: "rate_limit_exceeded",
          message: "Rate limit reached for m-1 on tokens per min. Please try again in 11.054s.",
        },
      }),
    ],
    retriable("rate_limit", 11_054),
  ],
  [
    "failed-quota",
    [end("failed", { error: { code: "insufficient_quota", message: "You exceeded your current quota." } })],
    final("quota"),
  ],
  ["failed-without-words", [end("failed", { error: null })], retriable("server")],
  [
    "failed-prompt",
    [
      end("failed", {
        error: {
          code: "invalid_prompt",
          message: "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        },
      }),
    ],
    final("content_filter"),
  ],
  ["bare-error", [{ error: { code: 503, message: "upstream unavailable" } }], retriable("overloaded")],
  ["cancelled", [text("Wor"), end("cancelled", {})], { text: "Wor", ...retriable("stream_incomplete") }],
  ["filtered", [end("incomplete", { incomplete_details: { reason: "content_filter" } })], final("content_filter")],
  ["nothing-in-it", [completed([])], retriable("empty_response")],
  ["mark-without-end", [text("Wor"), "data: [DONE]\n\n"], { text: "Wor", ...retriable("stream_incomplete") }],
  [
    "item-done-and-no-end",
    [done({ output_index: 0 }, callItem("fc_a", "call_a", "read_file", ARGS_A))],
    retriable("stream_incomplete"),
  ],
];
const failed = failures.map(([name, events, expect]) =>
  responses(`in-band-error/responses-${name}`, stream(events), expect, {
    setup: { env: { OPENAI_MAX_RETRIES: "0", OPENAI_FORCE_API_MODE: "responses" } },
  }),
);

export const responseCases = [...texts, ...calls, ...failed];
