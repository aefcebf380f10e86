/** Runs one allowed tool call: its context, its time, its result within the budget. */

import { Mode, type PermissionEngine } from "../permissions/PermissionEngine";
import type { ToolContext, ToolResult } from "../shared/contracts";
import { EventType, event, type WsEvent } from "../shared/events";
import { asking } from "../shared/handlers";
import { plainData } from "../shared/plainData";
import { applyResultBudget, SELF_LIMITING_TOOLS } from "../tools/resultBudget";
import type { ToolRegistry } from "../tools/ToolRegistry";
import type { Edits } from "./approval";
import { partsOf } from "./attachments";
import type { Interrupt } from "./interrupt";
import { UNFINISHED } from "./normalize";
import type { Proposal } from "./proposals";
import type { Outcome } from "./ResultDesk";

/** What every run of a turn has in common. */
export interface Workshop {
  registry: ToolRegistry;
  permissions: PermissionEngine;
  interrupt: Interrupt;
  taskId: string;
  toolResultDir: string;
  /** Whose tools these are, for the handlers of a host with several engines. */
  engine: unknown;
  /** Images in a result reach the model only when it can see them. */
  hasVision: boolean;
  /** A tool changed the permission mode and has told the model. */
  onModeSet(mode: Mode): void;
  /** Files that calls of this turn wrote, as shown to a person. */
  produced: Set<string>;
}

/** Runs a call to its end, or to three seconds after an interrupt. Never rejects. */
export async function runTool(
  shop: Workshop,
  proposal: Proposal,
  { emit, edited }: { emit: (event: WsEvent) => void; edited?: Edits },
): Promise<Outcome> {
  const started = performance.now();
  let isListening = true;
  const context = contextOf(shop, proposal, (out) => isListening && emit(out));
  if (edited) context.edited = edited;
  const { registry, interrupt, engine, taskId } = shop;
  const work = asking({ engine, taskId }, () => registry.call(proposal.name, proposal.args, context));
  const result = await interrupt.grace(work);
  isListening = false; // a tool that goes on after its time must not speak into a later turn
  const durationMs = Math.round(performance.now() - started);
  if (result === null) return { status: "interrupted", content: UNFINISHED, durationMs };
  const outcome = await outcomeOf(shop, proposal, result);
  if (outcome.status === "ok") noteProduced(shop, proposal, edited);
  return { ...outcome, durationMs };
}

function contextOf(shop: Workshop, { call }: Proposal, emit: (event: WsEvent) => void): ToolContext {
  const { permissions, interrupt, taskId } = shop;
  return {
    signal: interrupt.signal,
    reqId: call.id,
    taskId,
    // Tools of a host are held to no type, but what reads the stream is.
    emit: (type, data) => emit(event(type, soundData(data))),
    mode: permissions.mode,
    setMode: (mode) => {
      const known = Object.values(Mode).find((candidate) => candidate === mode);
      if (!known) return;
      permissions.mode = known;
      shop.onModeSet(known);
    },
  };
}

function soundData<T>(data: T): T {
  return (typeof data === "object" && data !== null ? plainData(data) : {}) as T;
}

async function outcomeOf(shop: Workshop, proposal: Proposal, raw: ToolResult): Promise<Outcome> {
  const result = await applyResultBudget(raw, {
    reqId: proposal.call.id,
    dir: shop.toolResultDir,
    selfLimiting: SELF_LIMITING_TOOLS.has(proposal.name),
  });
  const attachments = result.attachments ?? [];
  const isBlind = attachments.length > 0 && !shop.hasVision;
  const content = isBlind ? `${result.content}\n[this model cannot see images. Use media.]` : result.content;
  const outcome: Outcome = { status: result.status ?? "ok", content, counts: true };
  if (attachments.length > 0 && !isBlind) outcome.media = partsOf(attachments);
  if (result.display !== undefined) outcome.display = result.display;
  return shop.interrupt.requested ? interruptedOutcome(outcome) : outcome;
}

/** What a tool gave back after the interrupt. A bare abort error would let the model repeat the call unchecked. */
function interruptedOutcome(outcome: Outcome): Outcome {
  const content = outcome.status === "error" ? `${UNFINISHED}\n${outcome.content}` : outcome.content;
  return { ...outcome, status: "interrupted", content, counts: false };
}

function noteProduced({ permissions, produced }: Workshop, proposal: Proposal, edited: Edits | undefined): void {
  const written = edited?.map((change) => change.path) ?? pathsWritten(proposal);
  for (const path of written) produced.add(permissions.roots.show(path));
}

/** The paths that a call says it writes; it may not be able to say. */
export function pathsWritten({ spec, args }: Pick<Proposal, "spec" | "args">): string[] {
  try {
    return spec?.metadata.writes?.(args) ?? [];
  } catch {
    return [];
  }
}

/** `tool_started` of a call. */
export function startedEvent(proposal: Proposal, taskId: string): WsEvent {
  const { call, name } = proposal;
  return event(EventType.TOOL_STARTED, { taskId, reqId: call.id, name, startTime: new Date().toISOString() });
}
