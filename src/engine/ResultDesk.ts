/** Takes the outcomes of one reply's calls as they come and puts them into the history in the order of the calls. */

import { EventType, event, type ToolStatus, type WsEvent } from "../shared/events";
import type { ContentPart } from "../shared/messages";
import type { History } from "./History";
import type { LoopGuard } from "./loopGuard";
import type { Proposal } from "./proposals";

/** How one call ended. */
export interface Outcome {
  status: ToolStatus;
  /** What the model reads. */
  content: string;
  media?: ContentPart[];
  display?: unknown;
  /** For interfaces: why it was denied or did not run. */
  reason?: string;
  durationMs?: number;
  /** It never began. */
  isUnrun?: true;
  /** Whether the loop guard shall take note of it. */
  counts?: boolean;
}

/** Characters of a result that `tool_finished` carries. */
const PREVIEW_CHARS = 1_000;

export class ResultDesk {
  private readonly outcomes: (Outcome | undefined)[];
  private nextToPush = 0;
  private readonly parts: { proposals: Proposal[]; history: History; guard: LoopGuard; taskId: string };

  constructor(parts: { proposals: Proposal[]; history: History; guard: LoopGuard; taskId: string }) {
    this.parts = parts;
    this.outcomes = parts.proposals.map(() => undefined);
  }

  /** The proposals without an outcome. */
  get open(): Proposal[] {
    return this.parts.proposals.filter((proposal) => !this.outcomes[proposal.index]);
  }

  /** Takes an outcome; what is due goes into the history before the event that is returned can be yielded. */
  put(proposal: Proposal, outcome: Outcome): WsEvent {
    this.outcomes[proposal.index] = outcome;
    this.pushDue();
    return event(EventType.TOOL_FINISHED, {
      taskId: this.parts.taskId,
      reqId: proposal.call.id,
      name: proposal.name,
      status: outcome.status,
      ...(outcome.reason !== undefined && { reason: outcome.reason }),
      ...(outcome.durationMs !== undefined && { duration: outcome.durationMs }),
      result_preview: outcome.content.slice(0, PREVIEW_CHARS),
      ...(outcome.display !== undefined && { display: outcome.display }),
    });
  }

  private pushDue(): void {
    const { proposals, history } = this.parts;
    for (let at = this.nextToPush; ; at += 1) {
      const proposal = proposals[at];
      const outcome = this.outcomes[at];
      if (!proposal || !outcome) return;
      outcome.content += this.remark(proposal, outcome);
      const result = { role: "tool" as const, tool_call_id: proposal.call.id, content: outcome.content };
      history.append(hasFailed(outcome) ? { ...result, failed: true } : result, outcome.media);
      this.nextToPush = at + 1;
    }
  }

  /** What the model must be told beside the result, on a line of its own. */
  private remark(proposal: Proposal, outcome: Outcome): string {
    const { guard } = this.parts;
    if (!outcome.counts || proposal.key === null) return "";
    const { path } = proposal.args;
    const isFailedEdit = outcome.status === "error" && proposal.spec?.metadata.writes && typeof path === "string";
    const remarks = [
      guard.note(proposal.key, outcome.content),
      isFailedEdit ? guard.noteEditError(path, outcome.content) : "",
    ];
    return remarks
      .filter((remark) => remark !== "")
      .map((remark) => `\n${remark}`)
      .join("");
  }
}

function hasFailed({ status, isUnrun }: Outcome): boolean {
  return isUnrun === true || status === "error" || status === "denied";
}
