/** Names a session by what its first prompt wants. */

import { randomUUID } from "node:crypto";
import type { ProviderClient } from "../shared/contracts";
import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { typedText } from "../shared/reminders";

const LONGEST_NAME = 60;
const LONGEST_SAMPLE = 2_000;

/** True once there is a prompt and an answer to name a session by. */
export function shouldAutoName(messages: readonly Message[]): boolean {
  return firstPrompt(messages) !== "" && messages.some((message) => message.role === "assistant");
}

/** One line of at most 60 characters without quotes, marks of Markdown or a full stop; empty when nothing is left. */
export function sanitizeSessionName(raw: string): string {
  const line =
    raw
      .replace(/<think>[\s\S]*?<\/think>/g, "")
      .split("\n")
      .map((part) => part.trim())
      .find((part) => part !== "") ?? "";
  const bare = line
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[*`]/g, "")
    .replace(/^[\s"'#「『《“‘-]+|[\s"'。.」』》”’]+$/gu, "")
    .replace(/\s+/g, " ");
  return [...bare].slice(0, LONGEST_NAME).join("").trim();
}

/** Asks the model for a name. Null when it has none to give; never throws. */
export async function generateSessionName(
  provider: ProviderClient,
  model: string,
  { messages, prompt, signal }: { messages: readonly Message[]; prompt: string; signal?: AbortSignal },
): Promise<string | null> {
  const answer = messages.find((message) => message.role === "assistant" && textOf(message.content) !== "");
  const sample = [firstPrompt(messages), answer ? textOf(answer.content) : ""].map((text) =>
    text.slice(0, LONGEST_SAMPLE),
  );
  const request: Message[] = [
    { role: "system", content: prompt },
    {
      role: "user",
      content: `<conversation>\n${sample.filter((text) => text !== "").join("\n\n")}\n</conversation>\n\n${prompt}`,
    },
  ];
  const opts = { reqId: randomUUID(), logTime: new Date().toISOString(), ...(signal && { signal }) };
  try {
    const text = await provider.chat(model, request, {}, opts, { maxTokens: 200 });
    return sanitizeSessionName(text ?? "") || null;
  } catch {
    return null;
  }
}

function firstPrompt(messages: readonly Message[]): string {
  for (const message of messages) {
    const text = message.role === "user" ? typedText(message).trim() : "";
    if (text !== "") return text;
  }
  return "";
}
