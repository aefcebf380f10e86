/** What a compaction keeps, word for word, and what the new history looks like. Pure: decides, asks nobody. */

import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { typedText } from "../shared/reminders";
import { estimateMessage, estimateMessages, estimateText } from "./estimator";

/** What a summary message keeps for the next compaction; it never goes to a model in this form. */
export interface Kept {
  /** The person's own words from the part that was summarised, oldest first. */
  prompts: string[];
  read: string[];
  changed: string[];
  todo?: string;
  /** The block about machine and folder that stood in front of the first prompt. */
  environment?: string;
}

export interface CompactionPlan {
  /** Messages before this index are summarised, the rest stays as it is. */
  boundary: number;
  head: Message[];
  tail: Message[];
  prompts: string[];
  droppedPrompts: number;
}

export interface Budgets {
  /** Tokens of the newest messages that stay as they are. */
  tail: number;
  /** Tokens of the person's words that are quoted. */
  prompts: number;
}

/** Characters of a prompt that are quoted; longer ones lose their middle. */
const LONGEST_PROMPT = 6_000;

/** Null when there is nothing that could be summarised. */
export function planCompaction(messages: readonly Message[], budgets: Budgets): CompactionPlan | null {
  const boundary = findBoundary(messages, budgets.tail);
  const head = messages.slice(1, boundary);
  if (head.length < 2) return null;
  const all = promptsOf(head);
  const prompts = choosePrompts(all, budgets.prompts);
  return { boundary, head, tail: messages.slice(boundary), prompts, droppedPrompts: all.length - prompts.length };
}

/** The first place after the budget where no call is parted from its result. */
function findBoundary(messages: readonly Message[], budget: number): number {
  let at = messages.length;
  for (let kept = 0; at > 1; at -= 1) {
    const message = messages[at - 1];
    kept += message ? estimateMessage(message) : 0;
    if (kept > budget) break;
  }
  while (at < messages.length && messages[at]?.role === "tool") at += 1;
  return at;
}

/** Every word of the person's in these messages; those that an earlier compaction kept count again. */
function promptsOf(head: readonly Message[]): string[] {
  return head.flatMap((message) => {
    if (message.role !== "user") return [];
    const kept = keptOf(message);
    if (kept) return kept.prompts;
    const text = typedText(message).trim();
    return text ? [shorten(text)] : [];
  });
}

/** The first prompt always, then the newest ones as long as the budget lasts; in their old order. */
function choosePrompts(all: readonly string[], budget: number): string[] {
  const chosen = new Set<number>(all.length > 0 ? [0] : []);
  let used = estimateText(all[0] ?? "");
  for (let at = all.length - 1; at > 0; at -= 1) {
    used += estimateText(all[at] ?? "");
    if (used > budget) break;
    chosen.add(at);
  }
  return all.filter((_, at) => chosen.has(at));
}

function shorten(text: string): string {
  if (text.length <= LONGEST_PROMPT) return text;
  const half = LONGEST_PROMPT / 2;
  return `${text.slice(0, half)}\n[… ${text.length - LONGEST_PROMPT} characters left out …]\n${text.slice(-half)}`;
}

/** What a summary message of ours carries along; undefined for any other message. */
export function keptOf(message: Message): Kept | undefined {
  return message.origin === "summary" ? (message["kept"] as Kept | undefined) : undefined;
}

/** Why a text cannot serve as the summary, or null when it can. */
export function faultOfSummary(text: string): string | null {
  const summary = text.trim();
  if (summary.length < LEAST_SUMMARY) return "the summary was empty or too short";
  if (/<\/?(tool_call|function_call|invoke|tool_use)\b/i.test(summary)) return "the summary was a tool call";
  if (/^\{\s*"(name|tool|function)"\s*:/.test(summary)) return "the summary was a tool call";
  return null;
}

const LEAST_SUMMARY = 200;

export interface Compacted {
  plan: CompactionPlan;
  /** Null: there is none, the old messages are left out without one. */
  summary: string | null;
  kept: Omit<Kept, "prompts">;
  /** Lines about what holds now: folders, background tasks. */
  stateLines: string[];
}

/** The new history: system prompt, one message in the person's role, and the newest messages as they were. */
export function buildCompacted(system: Message, { plan, summary, kept, stateLines }: Compacted): Message[] {
  const lead: Message = {
    role: "user",
    origin: "summary",
    content: leadText({ plan, summary, kept, stateLines }),
    kept: { ...kept, prompts: plan.prompts },
  };
  return [system, lead, ...plan.tail];
}

function leadText({ plan, summary, kept, stateLines }: Compacted): string {
  const body =
    summary?.trim() ??
    `The earlier part of this conversation (${plan.head.length} messages) was left out to save space; no summary could be made.`;
  const prompts = plan.prompts.map((prompt) => `<user_message>\n${prompt}\n</user_message>`).join("\n");
  const state = [
    kept.todo ? `Todo list:\n${kept.todo}` : "",
    kept.changed.length > 0 ? `Files changed: ${kept.changed.join(", ")}` : "",
    kept.read.length > 0 ? `Files read: ${kept.read.join(", ")}` : "",
    ...stateLines,
  ].filter((line) => line !== "");
  const left = plan.droppedPrompts > 0 ? ` ${plan.droppedPrompts} of the user's earlier messages were left out.` : "";
  return [
    kept.environment ?? "",
    `<conversation_summary>\n${body}\n</conversation_summary>`,
    prompts &&
      `<earlier_user_messages>\nThe user's own words so far, oldest first. They were answered or are in work.\n${prompts}\n</earlier_user_messages>`,
    state.length > 0 ? `<session_state>\n${state.join("\n")}\n</session_state>` : "",
    `[${plan.head.length} messages were replaced by this summary.${left}]`,
    "Continue the current task from where it stands. Do not restart finished steps.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The conversation as plain text, for a model that cannot take it as it is. `share` of it, the newest. */
export function serialise(messages: readonly Message[], share = 1): string {
  const from = Math.floor(messages.length * (1 - share));
  return messages.slice(from).map(serialiseOne).join("\n\n");
}

const LONGEST_RESULT = 2_000;

function serialiseOne(message: Message): string {
  const text = textOf(message.content);
  const shown = message.role === "tool" && text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)} […]` : text;
  const calls = (message.tool_calls ?? []).map(
    (call) => `[calls ${call.function.name} ${String(call.function.arguments).slice(0, LONGEST_RESULT)}]`,
  );
  return [`${message.role.toUpperCase()}:`, shown, ...calls].filter((part) => part !== "").join("\n");
}

/** Tokens of a conversation without its system prompt. */
export function conversationTokens(messages: readonly Message[]): number {
  return estimateMessages(messages, 1);
}
