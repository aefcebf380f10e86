/** The decision on one call: the permission engine's, and a person's where that asks for one (guide 8). */

import { actingName, type PermissionEngine } from "../permissions/PermissionEngine";
import {
  type ApprovalAnswer,
  ApprovalOutcome,
  type Approver,
  type Decision,
  type PermissionRequest,
  type ToolMetadata,
  type ToolSpec,
} from "../shared/contracts";
import { messageOf, ZqError } from "../shared/errors";
import { EventType, event, type WsEvent } from "../shared/events";
import { type Interrupt, isInterrupted } from "./interrupt";
import type { Proposal } from "./proposals";

export type Edits = { path: string; after: string | null }[];

/** May the call run, and if not, what is the model told. */
export type Verdict = { mayRun: true; edited?: Edits } | { mayRun: false; text: string; byPerson: boolean };

export interface Question {
  proposal: Proposal;
  spec: ToolSpec;
  permissions: PermissionEngine;
  approver: Approver | null;
  interrupt: Interrupt;
  taskId: string;
  /** A person has denied an earlier call of the same reply: do not ask again. */
  isAfterDenial: boolean;
}

/** What an approver threw, on its way out of `run()` (guide 21). */
export class ApproverFailure extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = "ApproverFailure";
  }
}

/** The permission engine's decision. One that throws denies. */
export function decide(
  permissions: PermissionEngine,
  { name, args }: Pick<Proposal, "name" | "args">,
  metadata: ToolMetadata,
): Decision {
  try {
    return permissions.evaluate(name, args, metadata);
  } catch (error) {
    return { allowed: false, needsUser: false, reason: `The permission check failed: ${messageOf(error)}` };
  }
}

/** Yields `permission_required` where a person must be asked, and waits for the answer as long as it takes. */
export async function* approve(question: Question): AsyncGenerator<WsEvent, Verdict> {
  const { proposal, spec, permissions } = question;
  const decision = decide(permissions, proposal, spec.metadata);
  if (!decision.needsUser) return decision.allowed ? { mayRun: true } : refused(decision.reason);
  if (question.isAfterDenial) return refused("Not run: an earlier call was denied.");
  // With nobody to ask a protected file stays closed; that AUTO asks about it at all is our own addition (guide 8.1).
  if (!question.approver && decision.protectedFile) return refused(`Denied: ${decision.reason}`);
  yield event(EventType.PERMISSION_REQUIRED, {
    taskId: question.taskId,
    reqId: proposal.call.id,
    name: proposal.name,
    arguments: proposal.args,
    reason: decision.reason,
    category: spec.metadata.category,
  });
  const answer = await askPerson(question, decision.reason);
  question.interrupt.check();
  return verdictOf(question, answer);
}

/** What a person is asked about a call. */
export function requestOf(
  { name, args, call }: Proposal,
  { metadata, reason }: { metadata: ToolMetadata; reason: string },
): PermissionRequest {
  return { toolName: name, arguments: args, metadata, reason, toolCallId: call.id };
}

async function askPerson({ proposal, spec, approver, interrupt }: Question, reason: string): Promise<ApprovalAnswer> {
  if (!approver) throw new ApproverFailure(noApprover(proposal.name));
  try {
    const asked = approver(requestOf(proposal, { metadata: spec.metadata, reason }));
    const answer = await interrupt.race(Promise.resolve(asked));
    return soundAnswer(answer);
  } catch (error) {
    throw isInterrupted(error) ? error : new ApproverFailure(error);
  }
}

/** A host's approver is held to no type. Edits that cannot be used are its mistake: the call must not run without them. */
function soundAnswer(answer: ApprovalOutcome | ApprovalAnswer | null | undefined): ApprovalAnswer {
  if (typeof answer !== "object" || answer === null) return { outcome: answer ?? ApprovalOutcome.DENY };
  const { outcome, reason, edited = [] } = answer;
  if (!Array.isArray(edited) || !edited.every((change) => typeof change?.path === "string")) {
    throw new ZqError("invalid_answer", "The approver's answer is wrong: edited must be a list of { path, after }.");
  }
  return { outcome, edited, ...(typeof reason === "string" && { reason }) };
}

function noApprover(name: string): ZqError {
  return new ZqError(
    "no_approver",
    `Tool ${name} requires approval, but no approver was injected when assembling the engine. ` +
      "Call engine.setApprover(), or choose defaultApproval deny or allow.",
  );
}

function verdictOf({ proposal, permissions, spec }: Question, answer: ApprovalAnswer): Verdict {
  if (!isYes(answer.outcome)) {
    const why = answer.reason?.trim();
    const text = why ? `Denied by the user. The user says: ${why}` : "Denied by the user.";
    return { mayRun: false, byPerson: true, text };
  }
  if (answer.outcome === ApprovalOutcome.ALWAYS_TOOL) {
    permissions.allowToolForSession(actingName(proposal.name, proposal.args, spec.metadata));
  }
  const { command } = proposal.args;
  const isCommand = spec.metadata.category === "shell" && typeof command === "string";
  if (answer.outcome === ApprovalOutcome.ALWAYS_COMMAND && isCommand) permissions.allowCommandForSession(command);
  return answer.edited?.length ? { mayRun: true, edited: answer.edited } : { mayRun: true };
}

/** Anything that is no clear yes is a no. */
function isYes(outcome: unknown): boolean {
  const yes: unknown[] = [ApprovalOutcome.ONCE, ApprovalOutcome.ALWAYS_TOOL, ApprovalOutcome.ALWAYS_COMMAND];
  return yes.includes(outcome);
}

/**
 * The last look before a call runs: while a person thought about it a link may have been put in its way, or the mode
 * switched; and files that the person edited are files of their own. Null when nothing stands against it.
 */
export function refusalNow(
  permissions: PermissionEngine,
  proposal: Proposal,
  { metadata, edited }: { metadata: ToolMetadata; edited?: Edits },
): string | null {
  const writes = edited?.length ? { writes: () => edited.map((change) => change.path) } : {};
  const decision = decide(permissions, proposal, { ...metadata, ...writes });
  return decision.allowed || decision.needsUser ? null : decision.reason;
}

function refused(text: string): Verdict {
  return { mayRun: false, text, byPerson: false };
}
