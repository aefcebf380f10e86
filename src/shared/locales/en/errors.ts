/** What a failed model call means and what to do next, by error class: what happened and why, then what to do. */
export const errors = {
  rate_limit:
    "The endpoint limits how much may be sent in a span of time, and that is used up.\nWait a little, then try again.",
  quota: "The account at the endpoint has no quota or balance left.\nTop it up, or use another key.",
  auth: "The endpoint refused the API key.\nCheck OPENAI_API_KEY, and that it belongs to the endpoint (OPENAI_BASE_URL).",
  forbidden: "The endpoint does not allow this to the key.\nCheck at the endpoint what the key may do.",
  model_not_found:
    "The endpoint does not know this model.\nCheck its name (OPENAI_MODEL, --model); `zqagent doctor` shows what there is.",
  endpoint_unsupported:
    "The endpoint does not have this path or protocol.\nCheck OPENAI_BASE_URL (it usually ends in /v1) and --api-mode.",
  capability:
    "The endpoint or the model cannot do what was asked of it, as tools or images.\nChoose another model, or leave it out.",
  context_overflow:
    "The conversation does not fit the model's window, and shortening it was not enough.\nStart a new session, or use a model with a larger window.",
  payload_too_large:
    "The request holds more bytes than the endpoint takes.\nStart a new session, or leave out large files and images.",
  history_invalid:
    "The endpoint refused the order or form of the conversation.\nTry again; if it stays so, start a new session.",
  content_filter: "The endpoint's content filter stopped the answer.\nPut the request in other words.",
  output_rejected: "The endpoint could not use what the model wrote.\nTry again, or choose another model.",
  malformed_response:
    "What came back is no reply of a model.\nCheck OPENAI_BASE_URL (it usually ends in /v1) and any proxy in between.",
  stream_incomplete: "The reply broke off before its end.\nTry again; what was done before is kept.",
  stream_idle:
    "The endpoint fell silent in the middle of a reply.\nTry again; OPENAI_STREAM_IDLE_MS says how long silence is borne.",
  empty_response: "The model answered with nothing.\nTry again, or choose another model.",
  overloaded: "The endpoint is overloaded, or its model is still loading.\nWait a little, then try again.",
  server: "The endpoint failed by itself.\nTry again; if it stays so, look at its status page.",
  network:
    "The endpoint could not be reached, or the connection broke.\nCheck the network and OPENAI_BASE_URL, then try again.",
  unsupported_param:
    "The endpoint refused the request.\nTry the other protocol (--api-mode), or look what it can do: `zqagent doctor --probe`.",
  tool_schema: "The endpoint refused how a tool is described.\nTry the other protocol (--api-mode) or another model.",
  loop_detected: "The model went round in circles, so the turn was ended.\nTell it what to do differently.",
  repeating_output:
    "The model repeated the same text over and over, so it was stopped.\nTry again, or choose another model.",
  compaction_failed:
    "The conversation could not be shortened to fit the model's window.\nTry again or start a new session; on a server of your own, give the model more context (its context-length setting).",
  budget_exceeded: "The budget of this run is spent.\nRaise it, or start again.",
  other: "The turn ended with an error.\nTry again; --verbose shows more.",
  tryAgainAt: "Try again at {time}, in {span}; with --wait-limits zqagent waits by itself.",
  spanSeconds: "{count} s",
  spanMinutes: "{count} min",
  spanHours: "{count} h",
  spanDays: "{count} d",
};
