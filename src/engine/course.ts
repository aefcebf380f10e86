/** What a turn is given, how it begins, and what it keeps in mind while it runs. */

import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { Approver, ProviderClient } from "../shared/contracts";
import type { EventData } from "../shared/events";
import type { ToolRegistry } from "../tools/ToolRegistry";
import type { Context } from "./Context";
import type { History } from "./History";
import type { HookRelay } from "./HookRelay";
import type { Interrupt } from "./interrupt";
import { LoopGuard } from "./loopGuard";
import { emptyReply, type Reply } from "./modelCall";
import type { Reminders } from "./Reminders";
import type { Patience } from "./retries";
import type { Steering } from "./Steering";

/** What a turn works with. */
export interface TurnParts {
  provider: ProviderClient;
  registry: ToolRegistry;
  permissions: PermissionEngine;
  history: History;
  context: Context;
  hook: HookRelay;
  steering: Steering;
  reminders: Reminders;
  interrupt: Interrupt;
  taskId: string;
  model: string;
  reasoningEffort?: string;
  sessionId?: string;
  maxIterations: number;
  finalizeOnMaxIterations: boolean;
  /** What the turn may wait for limits. */
  patience: Patience;
  toolResultDir: string;
  /** Whose turn it is, for the handlers of a host with several engines. */
  engine: unknown;
  approver(): Approver | null;
  /** What happened in the background and the model has not been told, oldest first. */
  notices(): string[];
}

/** How a turn begins: with a prompt, or with calls that were left without an answer. */
export interface Opening {
  start: EventData["turn_start"];
  /** Puts the prompt into the history. */
  prompt?(interrupt: Interrupt): Promise<void>;
  /** Runs the calls at the end of the history before the model is asked. */
  isResumed?: boolean;
}

/** How a turn ended that did not end well. */
export interface Failure {
  retriable: boolean;
  /** The history ends with text that broke off. */
  hasPartialText: boolean;
}

/** A turn on its way. */
export interface Course extends TurnParts {
  guard: LoopGuard;
  produced: Set<string>;
  iteration: number;
  /** The reply that is coming in; empty when none is. */
  draft: Reply;
  /** Replies in a row that the output limit cut off, and the limit asked for because of that. */
  cutOffs: number;
  maxTokens?: number;
  failure: Failure | null;
}

export function startCourse(parts: TurnParts): Course {
  return {
    ...parts,
    guard: new LoopGuard(),
    produced: new Set(),
    iteration: 0,
    draft: emptyReply(),
    cutOffs: 0,
    failure: null,
  };
}
