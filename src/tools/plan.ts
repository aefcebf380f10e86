/** propose_plan: shows a plan and waits for approval, which also leaves the read-only modes (guide 7.1, 8.2). */

import description from "../../prompts/tools/propose_plan.md";
import type { ToolContext, ToolResult } from "../shared/contracts";
import { EventType } from "../shared/events";
import { type PlanAnswer, planHandler } from "../shared/handlers";
import { askPerson, silenceResult } from "./asking";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";

const READ_ONLY_MODES: ReadonlySet<string> = new Set(["discuss", "plan"]);
/** The mode after an approval that names none. */
const MODE_AFTER_APPROVAL = "interactive";

/** Registers propose_plan. Set who answers with `setPlanHandler`; without one nothing is approved. */
export function registerPlanTool(registry: ToolRegistry): void {
  registry.register(
    proposePlan,
    { category: "interactive", riskLevel: "low", capabilities: ["propose_plan"], requiresApproval: false },
    SCHEMA,
  );
}

async function proposePlan(args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
  const plan = String(args.plan ?? "");
  ctx.emit?.(EventType.PLAN_PROPOSED, { plan, reqId: ctx.reqId ?? "" });
  const handler = planHandler();
  const asked = await askPerson(handler && (() => handler(plan)), ctx.signal);
  if ("silence" in asked) return silenceResult(asked.silence, adviceFor(ctx.mode));
  const answer = planAnswer(asked.answer);
  return { content: answer.approved ? approve(answer, ctx) : refuse(answer) };
}

function planAnswer(answer: unknown): PlanAnswer {
  if (typeof answer === "object" && answer !== null) return answer as PlanAnswer;
  return { approved: answer === true };
}

function approve(answer: PlanAnswer, ctx: ToolContext): string {
  const isReadOnly = READ_ONLY_MODES.has(ctx.mode ?? "");
  const mode = answer.mode ?? (isReadOnly ? MODE_AFTER_APPROVAL : undefined);
  if (mode !== undefined && mode !== ctx.mode) ctx.setMode?.(mode);
  const opened = isReadOnly && mode !== undefined && !READ_ONLY_MODES.has(mode);
  return `Approved.${opened ? " You may now make changes." : ""}${saying(answer)}`;
}

function refuse(answer: PlanAnswer): string {
  return `Not approved.${saying(answer) || " The user gave no reason."}`;
}

function saying({ feedback }: PlanAnswer): string {
  const words = typeof feedback === "string" ? feedback.trim() : "";
  return words ? ` The user says: ${words}` : "";
}

/** Without an approval a read-only mode stays read-only: then the plan itself is the answer. */
function adviceFor(mode: string | undefined): string | undefined {
  if (!READ_ONLY_MODES.has(mode ?? "")) return undefined;
  return "The plan is not approved and nothing may be changed. End with the plan as your answer.";
}

const SCHEMA = buildToolSchema("propose_plan", description, {
  required: ["plan"],
  properties: {
    plan: {
      type: "string",
      description: "The plan in Markdown: goal, steps with file paths, risks, how it will be checked.",
    },
  },
});
