/**
 * Answer slots for the tools that ask a person (guide 4). They are process-wide by the guide's design; one registered
 * symbol on `globalThis` holds them, because an ESM and a CommonJS copy of this package may live in one process.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { QuestionOption } from "./events";

/** An answer, typed or an option as it was given; a list where several are allowed. `null`: the person did not answer. */
export type QuestionAnswer = string | QuestionOption | (string | QuestionOption)[] | null;

/** Answers ask_user. */
export type QuestionHandler = (
  question: string,
  options: (string | QuestionOption)[],
  allowText: boolean,
  multi: boolean,
) => Promise<QuestionAnswer> | QuestionAnswer;

export interface PlanAnswer {
  approved: boolean;
  feedback?: string | undefined;
  /** The permission mode to go on in. */
  mode?: string | undefined;
}

/** Answers propose_plan. */
export type PlanHandler = (plan: string) => Promise<PlanAnswer | boolean> | PlanAnswer | boolean;

export interface DirectoryRequest {
  path: string;
  reason: string;
  writable: boolean;
}

export interface DirectoryAnswer {
  granted: boolean;
  writable?: boolean | undefined;
}

/** Answers request_directory. */
export type DirectoryHandler = (
  request: DirectoryRequest,
) => Promise<DirectoryAnswer | boolean> | DirectoryAnswer | boolean;

/** Whose question it is, for a host with several engines. */
export interface AskingContext {
  engine: unknown;
  taskId: string;
}

interface Slots {
  question: QuestionHandler | null;
  plan: PlanHandler | null;
  directory: DirectoryHandler | null;
  asking: AsyncLocalStorage<AskingContext>;
}

const key = Symbol.for("zqagent.handlers");

function slots(): Slots {
  const holder = globalThis as { [key]?: Slots };
  holder[key] ??= { question: null, plan: null, directory: null, asking: new AsyncLocalStorage() };
  return holder[key];
}

/** Sets who answers ask_user, for the whole process (guide 4). `null` removes it. */
export function setQuestionHandler(handler: QuestionHandler | null): void {
  slots().question = handler;
}

/** Sets who answers propose_plan (guide 20.1). */
export function setPlanHandler(handler: PlanHandler | null): void {
  slots().plan = handler;
}

/** Sets who answers request_directory (guide 20.1). */
export function setDirectoryHandler(handler: DirectoryHandler | null): void {
  slots().directory = handler;
}

export function questionHandler(): QuestionHandler | null {
  return slots().question;
}

export function planHandler(): PlanHandler | null {
  return slots().plan;
}

export function directoryHandler(): DirectoryHandler | null {
  return slots().directory;
}

/** Runs `work` so that a handler called inside can tell whose question it is. */
export function asking<T>(context: AskingContext, work: () => T): T {
  return slots().asking.run(context, work);
}

/** Inside a handler: the engine and turn that ask. Undefined elsewhere. */
export function currentAsker(): AskingContext | undefined {
  return slots().asking.getStore();
}
