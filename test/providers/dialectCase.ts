/** A recorded case of a provider dialect: what the server sends, what must come of it, and the predicates that requests are held to. */

export interface RecordedRequest {
  n: number;
  at: number;
  path: string;
  raw: string;
  body: Json | undefined;
}

export type Json = ReturnType<typeof JSON.parse>;

export interface Predicate {
  all?: Predicate[];
  any?: Predicate[];
  not?: Predicate;
  nth?: number;
  path?: string;
  has?: string;
  match?: { at: string; re: string };
  raw?: string;
  rule?: string;
  n?: number;
}

export type Piece = string | { hex?: string; delayMs?: number };

export interface CaseResponse {
  when?: Predicate;
  status: number;
  headers: Record<string, string>;
  chunks: Piece[];
  end?: "reset" | "cut" | "hang" | "reset-before-headers" | "hang-before-headers";
}

export interface ExpectedCall {
  id: string;
  name: string;
  arguments: Json;
}

export interface DialectCase {
  id: string;
  kind: string;
  api: "chat" | "responses";
  setup?: Json;
  response: CaseResponse | CaseResponse[];
  expect: {
    text?: string;
    reasoning?: string;
    toolCalls?: ExpectedCall[];
    finish?: string;
    usage?: Json;
    error?: { class: string; retriable: boolean; retryAfterMs?: number };
    recovers?: { class: string; retriable: boolean; fallback: false | string; retryAfterMs?: number | string };
    rounds?: { toolCalls: ExpectedCall[]; finish: string }[];
    requests?: {
      max?: number;
      never?: Predicate;
      lastNot?: Predicate;
      paths?: string[];
      minGapMs?: number;
      noChat?: boolean;
    };
    mustNot?: string[];
    withinMs?: number;
  };
}

export function bytesOf(piece: Piece): Buffer {
  if (typeof piece === "string") return Buffer.from(piece, "utf8");
  return piece.hex === undefined ? Buffer.alloc(0) : Buffer.from(piece.hex, "hex");
}

export function responseFor(dialect: DialectCase, request: RecordedRequest): CaseResponse {
  const all = Array.isArray(dialect.response) ? dialect.response : [dialect.response];
  return all.find((response) => holds(response.when, request)) ?? all.at(-1)!;
}

export function holds(predicate: Predicate | undefined, request: RecordedRequest): boolean {
  if (!predicate) return true;
  if (predicate.all) return predicate.all.every((inner) => holds(inner, request));
  if (predicate.any) return predicate.any.some((inner) => holds(inner, request));
  if (predicate.not) return !holds(predicate.not, request);
  if (predicate.nth !== undefined) return request.n === predicate.nth;
  if (predicate.path) return request.path.split("?")[0]!.endsWith(`/${predicate.path}`);
  if (predicate.has) return valuesAt(request.body, predicate.has).length > 0;
  if (predicate.match) {
    const pattern = new RegExp(predicate.match.re);
    return valuesAt(request.body, predicate.match.at).some((value) =>
      pattern.test(typeof value === "string" ? value : JSON.stringify(value)),
    );
  }
  if (predicate.raw) return new RegExp(predicate.raw).test(request.raw);
  const rule = RULES[predicate.rule ?? ""];
  if (!rule) throw new Error(`unknown predicate ${JSON.stringify(predicate)}`);
  return rule(request, predicate.n);
}

function valuesAt(body: unknown, path: string): unknown[] {
  let found: unknown[] = [body];
  for (const key of path.split(".")) {
    found = found.flatMap((value) => {
      if (value === null || typeof value !== "object") return [];
      if (key === "*") return Object.values(value);
      return key in value ? [(value as Json)[key]] : [];
    });
  }
  return found;
}

const messages = (request: RecordedRequest): Json[] => request.body?.messages ?? [];
const items = (request: RecordedRequest): Json[] => request.body?.input ?? [];
const callers = (request: RecordedRequest) => messages(request).filter((message) => message.tool_calls?.length > 0);
const ids = (request: RecordedRequest) =>
  [...valuesAt(request.body, "messages.*.tool_calls.*.id"), ...valuesAt(request.body, "messages.*.tool_call_id")].map(
    String,
  );
const schemas = (request: RecordedRequest): Json[] =>
  (request.body?.tools ?? []).map((tool: Json) => tool.function?.parameters ?? tool.parameters).filter(Boolean);
const outputs = (request: RecordedRequest) => items(request).filter((item) => item.type === "function_call_output");
const calls = (request: RecordedRequest) => items(request).filter((item) => item.type === "function_call");

/** True where `test` holds for the schema or for one inside it. */
function anywhere(schema: unknown, test: (node: Json) => boolean): boolean {
  if (schema === null || typeof schema !== "object") return false;
  if (!Array.isArray(schema) && test(schema)) return true;
  return Object.values(schema).some((inner) => anywhere(inner, test));
}

const isBare = (property: Json) =>
  !["type", "anyOf", "oneOf", "allOf", "$ref", "enum"].some((keyword) => property[keyword]);
const isAnswered = (all: Json[], index: number, id: string) => {
  for (let at = index + 1; all[at]?.role === "tool"; at += 1) if (all[at]!.tool_call_id === id) return true;
  return false;
};
const isOrphan = (all: Json[], index: number) => {
  let at = index - 1;
  while (all[at]?.role === "tool") at -= 1;
  return !all[at]?.tool_calls?.some((call: Json) => call.id === all[index]!.tool_call_id);
};

const RULES: Record<string, (request: RecordedRequest, n?: number) => boolean> = {
  "system-not-first": (request) =>
    messages(request).some((message, index) => index > 0 && /^(system|developer)$/.test(message.role)),
  "roles-not-alternating": (request) => {
    const turns = messages(request).filter(
      (message) => !["system", "tool"].includes(message.role) && !message.tool_calls,
    );
    return turns.some((message, index) => (message.role === "user") !== (index % 2 === 0));
  },
  "call-unanswered": (request) =>
    messages(request).some((message, index, all) =>
      message.tool_calls?.some((call: Json) => !isAnswered(all, index, call.id)),
    ),
  "tool-orphan": (request) =>
    messages(request).some((message, index, all) => message.role === "tool" && isOrphan(all, index)),
  "ids-not-unique": (request) => {
    const made = callers(request).flatMap((message) => message.tool_calls.map((call: Json) => call.id));
    return new Set(made).size !== made.length;
  },
  "reasoning-missing": (request) => callers(request).some((message) => typeof message.reasoning_content !== "string"),
  "reasoning-empty": (request) => callers(request).some((message) => !message.reasoning_content),
  "signature-missing": (request) =>
    callers(request).some((message) => !message.tool_calls[0].extra_content?.google?.thought_signature),
  "details-missing": (request) =>
    callers(request).some((message) => !message.reasoning_details?.some?.((detail: Json) => detail.data)),
  "id-not-9": (request) => ids(request).some((id) => !/^[a-zA-Z0-9]{9}$/.test(id)),
  "id-over-40": (request) => ids(request).some((id) => id.length > 40),
  "id-charset": (request) => ids(request).some((id) => !/^[a-zA-Z0-9_-]+$/.test(id)),
  "content-null": (request) => messages(request).some((message) => message.content === null),
  "content-empty": (request) => messages(request).some((message) => message.content === ""),
  "content-key-missing": (request) => messages(request).some((message) => !("content" in message)),
  "content-array": (request) => messages(request).some((message) => Array.isArray(message.content)),
  "assistant-empty": (request) =>
    messages(request).some(
      (message) => message.role === "assistant" && !message.tool_calls?.length && !message.content?.length,
    ),
  "image-part": (request) =>
    valuesAt(request.body, "messages.*.content.*.type").includes("image_url") ||
    valuesAt(request.body, "input.*.content.*.type").includes("input_image"),
  "args-not-string": (request) =>
    valuesAt(request.body, "messages.*.tool_calls.*.function.arguments").some((args) => typeof args !== "string"),
  "tool-calls-empty": (request) => messages(request).some((message) => message.tool_calls?.length === 0),
  "tools-empty": (request) => request.body?.tools?.length === 0,
  "tool-not-function": (request) => (request.body?.tools ?? []).some((tool: Json) => tool.type !== "function"),
  "lone-surrogate": (request) =>
    /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}/.test(
      request.raw,
    ),
  nul: (request) => /\\u0000/.test(request.raw) || request.raw.includes("\0"),
  "over-bytes": (request, n) => Buffer.byteLength(request.raw) > n!,
  "schema-anyof-typed-parent": (request) =>
    schemas(request).some((schema) => anywhere(schema, (node) => node.anyOf && node.type !== undefined)),
  "schema-top-union": (request) =>
    schemas(request).some((schema) => schema.anyOf || schema.oneOf || schema.allOf || schema.type !== "object"),
  "schema-no-root-type": (request) => schemas(request).some((schema) => schema.type !== "object"),
  "schema-ref": (request) =>
    schemas(request).some((schema) =>
      anywhere(schema, (node) => typeof node.$ref === "string" && Object.keys(node).length > 1),
    ),
  "schema-type-array": (request) =>
    schemas(request).some((schema) => anywhere(schema, (node) => Array.isArray(node.type))),
  "schema-prop-untyped": (request) =>
    schemas(request).some((schema) =>
      anywhere(
        schema,
        (node) =>
          node.properties &&
          Object.values(node.properties as Json).some(
            (property) => property && typeof property === "object" && isBare(property),
          ),
      ),
    ),
  "resp-reasoning-alone": (request) =>
    items(request).some(
      (item, index, all) =>
        item.type === "reasoning" &&
        !(
          all[index + 1] &&
          (["function_call", "reasoning"].includes(all[index + 1]!.type) || all[index + 1]!.role === "assistant")
        ),
    ),
  "resp-call-without-reasoning": (request) =>
    items(request).some(
      (item, index, all) =>
        item.type === "function_call" &&
        item.id === "fc_1" &&
        !all.slice(0, index).some((before) => before.type === "reasoning" && before.id === "rs_1"),
    ),
  "resp-unanswered": (request) =>
    calls(request).some((call) => !outputs(request).some((output) => output.call_id === call.call_id)),
  "resp-orphan": (request) =>
    outputs(request).some((output) => !calls(request).some((call) => call.call_id === output.call_id)),
  "resp-bare-ref": (request) =>
    items(request).some(
      (item) => item.type === "item_reference" || (item.type === "reasoning" && item.id && !item.encrypted_content),
    ),
  "resp-encrypted": (request) => items(request).some((item) => item.type === "reasoning" && item.encrypted_content),
  "resp-no-summary": (request) =>
    items(request).some((item) => item.type === "reasoning" && !Array.isArray(item.summary)),
};
