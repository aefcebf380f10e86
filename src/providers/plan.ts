/** The words in which a way on from a refusal is told: what was sent, and what to change. */

import type { Recovery } from "../shared/contracts";
import type { EndpointNotes } from "./endpointMemory";
import type { ApiMode, Body, Outgoing, Tweaks } from "./modelCall";

/** What was sent, and whether the other API may be tried. */
export interface Sent extends Outgoing {
  api: ApiMode;
  body: Body;
  mayFallBack: boolean;
}

/** A way on. `key` names it: no way is gone twice for one request. */
export interface Plan {
  key: string;
  recover: string;
  fallback: Recovery["fallback"];
  learn?: EndpointNotes;
  tweaks?: Tweaks;
  /** Reasoning to be forgotten for good. */
  dead?: string[];
}
