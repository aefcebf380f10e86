/** Every way in which a process can end or be stopped, heard in one place, and let go of again. */

/** Why the terminal ends though nobody asked: a signal's name, or `gone` when the other side of it is closed. */
export type EndReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "gone";

export interface LifelineHandlers {
  /** The process is about to be over, by its own doing or by an error: last, synchronous things. */
  onExit(): void;
  /** Somebody wants us gone, or the terminal is. */
  onEnd(reason: EndReason): void;
  /** Somebody else asks us to stop (`kill -TSTP`). */
  onStop(): void;
  /** We run again after a stop of whatever kind. */
  onContinue(): void;
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const;

/** What a shell sees of a process that ended so. */
export function exitCodeOf(reason: EndReason): number {
  return 128 + (reason === "gone" ? signalNumbers.SIGHUP : signalNumbers[reason]);
}

/** Holds all of the process's ends at once. A signal that is held has no other effect than its handler. */
export class Lifeline {
  private readonly listeners: [event: string, listener: (...values: never[]) => void][];

  constructor(handlers: LifelineHandlers) {
    const { onExit, onEnd, onStop, onContinue } = handlers;
    this.listeners = [
      ["exit", onExit],
      // A monitor leaves the error to its usual fate, but comes before its report is printed.
      ["uncaughtExceptionMonitor", onExit],
      ["SIGTSTP", onStop],
      ["SIGCONT", onContinue],
      ...Object.keys(signalNumbers).map((name): [string, () => void] => [name, () => onEnd(name as EndReason)]),
    ];
  }

  /** Begins to listen; must be released before the process may die of a signal as usual. */
  hold(): void {
    for (const [event, listener] of this.listeners) process.on(event, listener as () => void);
  }

  release(): void {
    for (const [event, listener] of this.listeners) process.off(event, listener as () => void);
  }

  /** While we stop ourselves the signal must have its usual effect. */
  ignoreStop(isIgnored: boolean): void {
    for (const [event, listener] of this.listeners) {
      if (event !== "SIGTSTP") continue;
      process.off(event, listener as () => void);
      if (!isIgnored) process.on(event, listener as () => void);
    }
  }
}
