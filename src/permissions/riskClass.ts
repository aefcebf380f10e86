/** What kind of effect a tool may have: the first question of every decision (guide 8.1). */

import type { ToolMetadata } from "../shared/contracts";

/** READ changes nothing, WRITE changes files or foreign state, EXECUTE runs commands, EXTERNAL only reaches out. */
export const RiskClass = { READ: "read", WRITE: "write", EXECUTE: "execute", EXTERNAL: "external" } as const;
export type RiskClass = (typeof RiskClass)[keyof typeof RiskClass];

/** The class of a tool. One that nobody described counts as WRITE. */
export function riskClassOf(metadata: ToolMetadata | null): RiskClass {
  if (!metadata) return RiskClass.WRITE;
  if (!metadata.requiresApproval) return RiskClass.READ;
  if (metadata.category === "shell") return RiskClass.EXECUTE;
  if (metadata.category === "network" || metadata.category === "media") return RiskClass.EXTERNAL;
  return RiskClass.WRITE;
}
