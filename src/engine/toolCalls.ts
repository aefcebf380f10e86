/** The calls of one reply: neighbours that only read run together, every other call runs alone (guide 12.6). */

import { RiskClass, riskClassOf } from "../permissions/riskClass";
import type { Approver, ToolSpec } from "../shared/contracts";
import { ModelError } from "../shared/errors";
import { EventType, event, type WsEvent } from "../shared/events";
import type { ToolCall } from "../shared/messages";
import { approve, decide, refusalNow } from "./approval";
import type { History } from "./History";
import type { HookRelay } from "./HookRelay";
import { Inbox } from "./Inbox";
import { Interrupted } from "./interrupt";
import { type LoopGuard, STOPPED } from "./loopGuard";
import { UNFINISHED } from "./normalize";
import { buildProposals, mayRunBeside, type Proposal } from "./proposals";
import { type Outcome, ResultDesk } from "./ResultDesk";
import { runTool, startedEvent, type Workshop } from "./toolRun";

/** How many calls run side by side at most. */
const MOST_TOGETHER = 8;

export interface ToolRound {
  calls: ToolCall[];
  /** The reply ended at the output limit: none of its calls can be believed to be whole. */
  isReplyCut: boolean;
  shop: Workshop;
  history: History;
  hook: HookRelay;
  guard: LoopGuard;
  approver(): Approver | null;
}

interface Bench extends ToolRound {
  desk: ResultDesk;
  isAfterDenial: boolean;
}

/**
 * Runs the calls; every one of them has its result in the history when this ends, however it ends. Returns whether a
 * call was cut off. Throws `Interrupted`, `ApproverFailure`, or `ModelError` of type `loop_detected`.
 */
export async function* toolCalls(round: ToolRound): AsyncGenerator<WsEvent, { isCutOff: boolean }> {
  const { shop, history, guard } = round;
  const proposals = buildProposals(round.calls, shop.registry, round.isReplyCut);
  const desk = new ResultDesk({ proposals, history, guard, taskId: shop.taskId });
  const bench: Bench = { ...round, desk, isAfterDenial: false };
  let unrun = "Not run: the turn was ended.";
  try {
    for (const proposal of proposals) yield proposed(proposal, shop.taskId);
    yield* walk(bench, proposals);
  } catch (error) {
    if (error instanceof Interrupted) unrun = "Not run: the user interrupted.";
    for (const finished of closeOpen(bench, unrun)) yield finished;
    throw error;
  } finally {
    // A reader that left: nobody hears the events, but the history and the hook must still be whole.
    for (const finished of closeOpen(bench, unrun)) round.hook.tell(finished);
  }
  return { isCutOff: proposals.some((proposal) => proposal.isCutOff) };
}

async function* walk(bench: Bench, proposals: Proposal[]): AsyncGenerator<WsEvent> {
  let left = proposals;
  for (let first = left[0]; first; first = left[0]) {
    bench.shop.interrupt.check();
    const group = neighbours(bench, left);
    if (group.length > 1) yield* runTogether(bench, group);
    else yield* runAlone(bench, first);
    left = left.slice(Math.max(1, group.length));
  }
  bench.shop.interrupt.check();
}

/** The first ones of these that may run side by side. */
function neighbours(bench: Bench, proposals: Proposal[]): Proposal[] {
  const group: Proposal[] = [];
  for (const proposal of proposals) {
    const { spec, fault } = proposal;
    if (!spec || fault !== undefined || isLost(bench, proposal)) break;
    if (!mayRunBeside(spec.metadata, decide(bench.shop.permissions, proposal, spec.metadata))) break;
    group.push(proposal);
  }
  return group;
}

async function* runTogether(bench: Bench, group: Proposal[]): AsyncGenerator<WsEvent> {
  const { shop, desk } = bench;
  const inbox = new Inbox<WsEvent>();
  const seen = new Set<string>();
  const runs: Proposal[] = [];
  for (const proposal of group) {
    const { key } = proposal;
    if (key !== null && seen.has(key)) continue;
    if (key !== null) seen.add(key);
    if (yield* isStopped(bench, proposal)) continue;
    runs.push(proposal);
  }
  const work = inGroups(runs, async (proposal) => {
    // An interrupt does not wait for a hook; what has not begun then is closed with the rest.
    await shop.interrupt.race(settled(bench, proposal)).catch(() => undefined);
    if (shop.interrupt.requested) return;
    inbox.push(begin(bench, proposal));
    inbox.push(desk.put(proposal, await runTool(shop, proposal, { emit: (out) => inbox.push(out) })));
  });
  yield* toItsEnd(bench, inbox, work);
  shop.interrupt.check();
  for (const proposal of group.filter((one) => desk.open.includes(one))) {
    yield desk.put(proposal, { status: "ok", content: "Same call as above." });
  }
}

async function* runAlone(bench: Bench, proposal: Proposal): AsyncGenerator<WsEvent> {
  const { shop, desk } = bench;
  if (yield* isStopped(bench, proposal)) return;
  if (isLost(bench, proposal)) {
    yield desk.put(proposal, { status: "interrupted", content: UNFINISHED, reason: UNFINISHED });
    return;
  }
  const { spec, fault } = proposal;
  if (!spec || fault !== undefined) {
    yield desk.put(proposal, { status: "error", content: fault ?? "Unknown tool.", counts: true });
    return;
  }
  const { permissions, interrupt, taskId } = shop;
  const asked = { proposal, spec, permissions, interrupt, taskId, isAfterDenial: bench.isAfterDenial };
  const verdict = yield* approve({ ...asked, approver: bench.approver() });
  if (!verdict.mayRun) {
    bench.isAfterDenial ||= verdict.byPerson;
    yield desk.put(proposal, deniedOutcome(verdict.text));
    return;
  }
  await shop.interrupt.race(settled(bench, proposal));
  const { edited } = verdict;
  const refusal = refusalNow(permissions, proposal, { metadata: spec.metadata, ...(edited && { edited }) });
  if (refusal !== null) {
    yield desk.put(proposal, deniedOutcome(refusal));
    return;
  }
  yield begin(bench, proposal);
  interrupt.check();
  const inbox = new Inbox<WsEvent>();
  const run = { emit: (out: WsEvent) => inbox.push(out), ...(edited && { edited }) };
  const work = runTool(shop, proposal, run).then((outcome) => inbox.push(desk.put(proposal, outcome)));
  yield* toItsEnd(bench, inbox, work);
}

/** It had begun before its process ended: nobody knows how far it came. What only reads may be run again. */
function isLost({ history }: Bench, { call, spec }: Proposal): boolean {
  return history.hasBegun(call.id) && !(spec && onlyReads(spec));
}

function onlyReads({ metadata }: ToolSpec): boolean {
  return riskClassOf(metadata) === RiskClass.READ;
}

function begin({ history, shop }: Bench, proposal: Proposal): WsEvent {
  history.begin(proposal.call.id);
  return startedEvent(proposal, shop.taskId);
}

/** The hook may have to save what is there before a call changes anything. */
async function settled({ hook }: Bench, { name, args, spec }: Proposal): Promise<void> {
  if (!spec || onlyReads(spec)) return;
  await hook.settle({ toolName: name, arguments: args });
}

/** Yields what running tools say until they end. A reader that leaves meanwhile stops them. */
async function* toItsEnd(
  { shop, hook }: Bench,
  inbox: Inbox<WsEvent>,
  work: Promise<unknown>,
): AsyncGenerator<WsEvent> {
  let isOver = false;
  try {
    yield* inbox.during(work);
    isOver = true;
  } finally {
    if (!isOver) shop.interrupt.request();
    await work;
    for (const unread of inbox.rest()) hook.tell(unread);
  }
}

/** Stops a call that goes in circles, and at last the turn. */
async function* isStopped({ guard, desk }: Bench, proposal: Proposal): AsyncGenerator<WsEvent, boolean> {
  const { key } = proposal;
  const verdict = key === null ? "run" : guard.judge(key);
  if (verdict === "run" || key === null) return false;
  guard.noteStopped(key);
  yield desk.put(proposal, { status: "error", content: STOPPED });
  if (verdict === "stop") return true;
  throw new ModelError("loop_detected", `The model repeats the same call (${proposal.name}) without getting further.`, {
    retriable: true,
  });
}

function deniedOutcome(text: string): Outcome {
  return { status: "denied", content: text, reason: text, counts: true };
}

function* closeOpen({ desk }: Bench, text: string): Generator<WsEvent> {
  const unrun: Outcome = { status: "interrupted", content: text, reason: text, isUnrun: true };
  for (const proposal of desk.open) yield desk.put(proposal, { ...unrun });
}

function proposed(proposal: Proposal, taskId: string): WsEvent {
  const { call, name, args } = proposal;
  return event(EventType.TOOL_PROPOSED, { reqId: call.id, name, arguments: args, taskId });
}

/** Works through the items in order, `MOST_TOGETHER` at a time. */
async function inGroups<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_TOGETHER, items.length) }, worker));
}
