/** Several hooks as one (guide 11.2): each hears everything, and one that throws harms neither the turn nor the others. */

import type { EngineHook } from "../shared/EngineHook";

/** The callbacks that are told and forgotten: all but these two, which are awaited. */
type Callback = Exclude<keyof EngineHook, "settle" | "saved">;

export class CompositeHook implements EngineHook {
  private readonly hooks: EngineHook[];

  constructor(hooks: readonly (EngineHook | null | undefined)[]) {
    this.hooks = hooks.filter((hook): hook is EngineHook => hook != null);
  }

  onTurnStart(...args: Told<"onTurnStart">): void {
    this.tell("onTurnStart", args);
  }

  onTurnEnd(...args: Told<"onTurnEnd">): void {
    this.tell("onTurnEnd", args);
  }

  onAssistantDelta(...args: Told<"onAssistantDelta">): void {
    this.tell("onAssistantDelta", args);
  }

  onReasoningDelta(...args: Told<"onReasoningDelta">): void {
    this.tell("onReasoningDelta", args);
  }

  onAssistantMessage(...args: Told<"onAssistantMessage">): void {
    this.tell("onAssistantMessage", args);
  }

  onToolProposed(...args: Told<"onToolProposed">): void {
    this.tell("onToolProposed", args);
  }

  onToolStarted(...args: Told<"onToolStarted">): void {
    this.tell("onToolStarted", args);
  }

  onToolFinished(...args: Told<"onToolFinished">): void {
    this.tell("onToolFinished", args);
  }

  onPermissionRequired(...args: Told<"onPermissionRequired">): void {
    this.tell("onPermissionRequired", args);
  }

  onIterationEnd(...args: Told<"onIterationEnd">): void {
    this.tell("onIterationEnd", args);
  }

  onCompacting(...args: Told<"onCompacting">): void {
    this.tell("onCompacting", args);
  }

  onCompacted(...args: Told<"onCompacted">): void {
    this.tell("onCompacted", args);
  }

  onError(...args: Told<"onError">): void {
    this.tell("onError", args);
  }

  onRetry(...args: Told<"onRetry">): void {
    this.tell("onRetry", args);
  }

  onInterrupted(...args: Told<"onInterrupted">): void {
    this.tell("onInterrupted", args);
  }

  onEvent(...args: Told<"onEvent">): void {
    this.tell("onEvent", args);
  }

  onEach(...args: Told<"onEach">): void {
    this.tell("onEach", args);
  }

  /**
   * Waits for every hook, also when one of them fails; only then the first failure comes out, so that the engine can
   * give its notice.
   */
  async settle(...args: Parameters<NonNullable<EngineHook["settle"]>>): Promise<void> {
    await allOf(this.hooks.map(async (hook) => hook.settle?.(...args)));
  }

  /** Waits as `settle` does. */
  async saved(): Promise<void> {
    await allOf(this.hooks.map(async (hook) => hook.saved?.()));
  }

  private tell<K extends Callback>(name: K, args: Told<K>): void {
    for (const hook of this.hooks) {
      try {
        (hook[name] as ((...given: Told<K>) => void) | undefined)?.apply(hook, args);
      } catch {
        // A hook is a side channel: what it throws is its own affair (guide 11.1).
      }
    }
  }
}

async function allOf(waits: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(waits)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

type Told<K extends Callback> = Parameters<NonNullable<EngineHook[K]>>;
