/** The calls of a history that wait for somebody's answer: what a host shows after a restart (guide 12.4). */

import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { PermissionRequest } from "../shared/contracts";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { decide, requestOf } from "./approval";
import type { History } from "./History";
import { buildProposals } from "./proposals";

/** The requests that the approver gets when these calls come to their turn, in order. Decides and changes nothing. */
export function pendingApprovals(
  history: History,
  registry: ToolRegistry,
  permissions: PermissionEngine,
): PermissionRequest[] {
  const calls = history.pendingCalls().filter((call) => !history.hasBegun(call.id));
  return buildProposals(calls, registry, false).flatMap((proposal) => {
    const { spec, fault } = proposal;
    if (!spec || fault !== undefined) return [];
    const { needsUser, reason } = decide(permissions, proposal, spec.metadata);
    return needsUser ? [requestOf(proposal, { metadata: spec.metadata, reason })] : [];
  });
}
