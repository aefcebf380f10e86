/** ask_user: one question to the person, answered through the question handler (guide 4, 7.1). */

import description from "../../prompts/tools/ask_user.md";
import type { ToolContext, ToolResult } from "../shared/contracts";
import { EventType, type QuestionOption } from "../shared/events";
import { questionHandler } from "../shared/handlers";
import { askPerson, silenceResult } from "./asking";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";

/** Registers ask_user. Set who answers with `setQuestionHandler`; without one it says that no user is present. */
export function registerAskTool(registry: ToolRegistry): void {
  registry.register(
    askUser,
    { category: "interactive", riskLevel: "low", capabilities: ["ask_user"], requiresApproval: false },
    SCHEMA,
  );
}

async function askUser(args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
  const question = String(args.question ?? "");
  const options = optionsFrom(args.options);
  // Nothing to choose from and nothing to type would be a question without an answer.
  const allowText = args.allow_text !== false || options.length === 0;
  const multi = args.multi === true && options.length > 0;
  ctx.emit?.(EventType.ASK_USER_QUESTION, {
    taskId: ctx.taskId ?? "",
    reqId: ctx.reqId ?? "",
    question,
    options,
    allowText,
    multi,
  });
  const handler = questionHandler();
  const asked = await askPerson(handler && (() => handler(question, options, allowText, multi)), ctx.signal);
  if ("silence" in asked) return silenceResult(asked.silence);
  const text = answerText(asked.answer);
  return text ? { content: text } : silenceResult("unanswered");
}

function optionsFrom(value: unknown): (string | QuestionOption)[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((option: unknown): (string | QuestionOption)[] => {
    if (typeof option === "string") return option ? [option] : [];
    const label = labelOf(option);
    if (!label) return [];
    const { description: more } = option as { description?: unknown };
    return [typeof more === "string" ? { label, description: more } : { label }];
  });
}

/** A host may hand back an option as it got it; its label is the answer. */
function answerText(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(answerText).filter(Boolean).join(", ");
  if (typeof answer === "string") return answer.trim();
  return labelOf(answer);
}

function labelOf(option: unknown): string {
  if (typeof option !== "object" || option === null || !("label" in option)) return "";
  return typeof option.label === "string" ? option.label : "";
}

const SCHEMA = buildToolSchema("ask_user", description, {
  required: ["question"],
  properties: {
    question: { type: "string", description: "One clear question." },
    options: {
      type: "array",
      description: "2 to 6 short answers, the recommended one first.",
      items: { type: "string" },
      maxItems: 6,
    },
    allow_text: { type: "boolean", description: "Let the user type another answer (default true)." },
    multi: { type: "boolean", description: "Allow several options." },
  },
});
