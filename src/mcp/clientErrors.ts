/** What the SDK, a transport or a server reports, as a sentence that says what happened and what to do. */

import { messageOf, ZqError } from "../shared/errors";
import type { McpServerConfig } from "./config";
import { visibleName } from "./foreignText";
import { shownAddress } from "./httpConnection";

const REQUEST_TIMEOUT = -32001;

/** The error of an interrupt, as the registry of tools knows it. */
export function abortError(): Error {
  return Object.assign(new Error("The call was interrupted."), { name: "AbortError" });
}

export function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === REQUEST_TIMEOUT;
}

/** Whether the server itself said no, in the protocol's own way; anything else is trouble with the line. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && error.name === "McpError";
}

/** The words of an error without the SDK's own prefix; a server's text in it can do no harm. */
export function reasonOf(error: unknown): string {
  const text = messageOf(error).replace(/^(MCP error -?\d+: |Streamable HTTP error: |SSE error: )+/, "");
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return visibleName(text + cause, 500);
}

export interface ConnectFacts {
  /** What a child said before it ended. */
  words: string;
  timeoutMs: number;
}

/** Why a server cannot be used. The original error is the cause. */
export function connectFailure(config: McpServerConfig, error: unknown, { words, timeoutMs }: ConnectFacts): ZqError {
  const who = `The MCP server ${visibleName(config.name)}`;
  const said = words ? ` (${words})` : "";
  const cause = { cause: error };
  if (isTimeout(error)) {
    const advice = "Check its command or address, or raise connectTimeoutMs.";
    return new ZqError("mcp_timeout", `${who} was not ready within ${timeoutMs / 1000} s${said}. ${advice}`, cause);
  }
  if (config.type === "stdio") {
    const why = words || reasonOf(error);
    return new ZqError(
      "mcp_connect",
      `${who} could not be started: ${why}. Run its command by hand to see more.`,
      cause,
    );
  }
  const address = config.type === "builtin" ? "" : ` at ${shownAddress(config.url)}`;
  const why = isUnauthorized(error) ? "it asks for a login; set headers for it" : reasonOf(error);
  return new ZqError("mcp_connect", `${who}${address} could not be reached: ${why}`, cause);
}

function isUnauthorized(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && (error.code === 401 || error.code === 403);
}
