/**
 * One turn on one page: turn → iterations → model call → tool calls. It has one `turn_start` and one `turn_end`, and
 * whatever happens between them the history is valid afterwards.
 */

import { isModelError, ModelError } from "../shared/errors";
import { EventType, event, type TurnStatus, type WsEvent } from "../shared/events";
import type { Message, ToolCall } from "../shared/messages";
import { asReminder } from "../shared/reminders";
import { ApproverFailure } from "./approval";
import { type Course, type Failure, type Opening, startCourse, type TurnParts } from "./course";
import { Interrupted } from "./interrupt";
import { emptyReply, type ModelCall, modelCall, type Reply } from "./modelCall";
import { toolCalls } from "./toolCalls";
import { assistantEvent, errorEvent } from "./turnEvents";
import { buildPrompt, buildReminder } from "./userMessages";

/**
 * Yields the events of the turn, each told to the hook before; the end only when the hook has settled, so that a host may
 * leave or restore behind it. Returns how the turn failed; throws what an approver threw.
 */
export async function* turn(parts: TurnParts, opening: Opening): AsyncGenerator<WsEvent, Failure | null> {
  const course = startCourse(parts);
  for await (const out of startToEnd(course, opening)) {
    parts.hook.tell(out);
    if (out.type === EventType.TURN_END) await parts.hook.settleEnd(parts.interrupt);
    yield out;
  }
  return course.failure;
}

async function* startToEnd(course: Course, opening: Opening): AsyncGenerator<WsEvent> {
  let isOpen = true;
  try {
    yield event(EventType.TURN_START, opening.start);
    const { status, thrown } = yield* toStatus(course, opening);
    isOpen = false;
    yield turnEnd(course, status);
    if (thrown) throw thrown.cause;
  } finally {
    if (isOpen) await abandon(course);
  }
}

async function* toStatus(
  course: Course,
  opening: Opening,
): AsyncGenerator<WsEvent, { status: TurnStatus; thrown?: ApproverFailure }> {
  try {
    return { status: yield* iterations(course, opening) };
  } catch (error) {
    const hasPartialText = leaveValid(course);
    const { iteration: iterations, taskId } = course;
    if (error instanceof Interrupted) {
      yield event(EventType.INTERRUPTED, { iterations, reqId: course.draft.reqId, taskId });
      return { status: "interrupted" };
    }
    course.failure = { retriable: isModelError(error) && error.retriable, hasPartialText };
    yield errorEvent(error, { iteration: iterations, taskId, reply: course.draft });
    return error instanceof ApproverFailure ? { status: "error", thrown: error } : { status: "error" };
  }
}

async function* iterations(course: Course, opening: Opening): AsyncGenerator<WsEvent, TurnStatus> {
  const { history, steering, context, interrupt, taskId } = course;
  await opening.prompt?.(interrupt);
  if (opening.isResumed) yield* runCalls(course, history.pendingCalls(), false);
  while (course.iteration < course.maxIterations) {
    interrupt.check();
    course.iteration += 1;
    yield* takeSteering(course);
    const reply = yield* askModel(course);
    if (reply.calls.length > 0) yield* runCalls(course, reply.calls, reply.finish === "length");
    yield event(EventType.ITERATION_END, { iteration: course.iteration, taskId });
    yield* context.runManual(occasionOf(course));
    if (reply.calls.length === 0 && !steering.isWaiting) return "completed";
  }
  if (course.finalizeOnMaxIterations) yield* report(course);
  return "max_iterations_exceeded";
}

/**
 * One request and its reply, which is in the history when this returns. An overflow makes room and asks again.
 * `isReport`: the reply must not call tools.
 */
async function* askModel(course: Course, isReport = false): AsyncGenerator<WsEvent, Reply> {
  const { context, registry } = course;
  for (;;) {
    const sessionTools = registry.schemas();
    yield* context.makeRoom(occasionOf(course), sessionTools);
    remind(course);
    try {
      if (isReport) return yield* exchange(course, { tools: [], toolChoice: "none", sessionTools });
      return yield* exchange(course, { tools: sessionTools });
    } catch (error) {
      if (!isModelError(error) || !tooLong.has(error.errorType)) throw error;
      if (!(yield* context.afterOverflow(occasionOf(course), error, sessionTools))) {
        const { message, detail } = error;
        const details = { retriable: true, cause: error, ...(detail !== undefined && { detail }) };
        throw new ModelError("context_overflow", message, details);
      }
    }
  }
}

const tooLong = new Set(["context_overflow", "payload_too_large"]);

type Extra = Pick<ModelCall, "tools"> & ModelCall["opts"];

async function* exchange(course: Course, { tools, ...more }: Extra): AsyncGenerator<WsEvent, Reply> {
  const { history, context, interrupt, taskId, iteration, draft, provider, model, patience } = course;
  const { reasoningEffort, sessionId, maxTokens } = course;
  const opts = {
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(sessionId !== undefined && { sessionId }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...more,
  };
  context.meter.askOnce();
  const sent = context.meter.rawEstimate(tools);
  const messages = history.outbound();
  const call = { provider, model, messages, tools, opts, interrupt, taskId, iteration, draft, patience };
  const reply = yield* modelCall(call);
  const calls = history.withOwnIds(reply.calls);
  history.append(assistantMessage(reply, calls));
  course.draft = emptyReply();
  const usage = context.noteReply(reply.usage, sent);
  yield assistantEvent(reply, { calls, usage, taskId });
  return { ...reply, calls };
}

async function* runCalls(course: Course, calls: ToolCall[], isReplyCut: boolean): AsyncGenerator<WsEvent> {
  const { registry, permissions, interrupt, taskId, toolResultDir, engine, produced, reminders, context } = course;
  const { history, hook, guard } = course;
  const shop = {
    registry,
    permissions,
    interrupt,
    taskId,
    toolResultDir,
    engine,
    produced,
    hasVision: context.meter.model.vision,
    onModeSet: (mode: string) => reminders.markTold(mode),
  };
  const approver = () => course.approver();
  const { isCutOff } = yield* toolCalls({ calls, isReplyCut, shop, history, hook, guard, approver });
  allowMore(course, isCutOff);
}

/** The second reply in a row that was cut off asks for twice the output, once, where the model can give it. */
function allowMore(course: Course, isCutOff: boolean): void {
  course.cutOffs = isCutOff ? course.cutOffs + 1 : 0;
  if (course.cutOffs !== 2 || course.maxTokens !== undefined) return;
  const { maxOutput } = course.context.meter.model;
  const wanted = Math.min(maxOutput, 2 * course.context.lastOutput);
  if (wanted > course.context.lastOutput) course.maxTokens = wanted;
}

async function* takeSteering({ steering, history, taskId }: Course): AsyncGenerator<WsEvent> {
  for (let item = steering.next(); item; item = steering.next()) {
    const { message, media } = buildPrompt(item);
    history.append(message, media);
    yield event(EventType.QUEUE_STEERING, {
      text: item.text,
      taskId,
      ...(item.refs?.length && { attachments: item.refs }),
    });
  }
}

/** Tells the model, at the end of the history, what it cannot know: background news, a mode that was switched. */
function remind({ reminders, permissions, history, notices }: Course): void {
  const lines = [...notices().map(asReminder), reminders.ofMode(permissions.mode)].filter((line) => line !== "");
  if (lines.length > 0) history.append(buildReminder(lines));
}

const LIMIT_REACHED =
  "The step limit is reached. Do not call tools. Report what was done, what was found and what is left.";

/** One more answer without tools, so that a turn that ran out of steps ends with a report. */
async function* report(course: Course): AsyncGenerator<WsEvent> {
  course.history.append(buildReminder([LIMIT_REACHED]));
  yield* askModel(course, true);
  course.history.closePending();
}

function occasionOf({ taskId, iteration, interrupt }: Course) {
  return { taskId, iteration, interrupt };
}

function assistantMessage(reply: Reply, calls: ToolCall[]): Message {
  return {
    role: "assistant",
    content: reply.text === "" ? null : reply.text,
    ...(reply.reasoning !== "" && { reasoning: reply.reasoning }),
    ...(reply.reasoningDetails.length > 0 && { reasoning_details: reply.reasoningDetails }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Keeps the text that came before the turn broke off, and answers every open call. True when there was such text. */
function leaveValid({ history, draft }: Course): boolean {
  const { text } = draft;
  draft.text = "";
  if (text !== "") history.append({ role: "assistant", content: text });
  history.closePending();
  return text !== "";
}

/** The reader stopped reading: nobody hears of it any more but the hook. */
async function abandon(course: Course): Promise<void> {
  const { hook, iteration: iterations, taskId } = course;
  course.interrupt.request();
  leaveValid(course);
  hook.tell(event(EventType.INTERRUPTED, { iterations, reqId: course.draft.reqId, taskId }));
  hook.tell(turnEnd(course, "interrupted"));
  await hook.settleEnd(course.interrupt);
}

function turnEnd({ iteration, produced, taskId }: Course, status: TurnStatus): WsEvent {
  return event(EventType.TURN_END, { status, iterations: iteration, produced_files: [...produced], taskId });
}
