/** The error of a second turn on an engine that runs one already. */

import { ZqError } from "../shared/errors";

/** Thrown by a second `run()` while one is under way (guide 12.6), before any event. */
export class EngineBusy extends ZqError {
  constructor() {
    super(
      "engine_busy",
      `A turn or a compaction is under way on this engine. Wait for its end, or call requestInterrupt() first.`,
    );
    this.name = "EngineBusy";
  }
}
