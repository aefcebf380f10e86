/** Asks the person on behalf of a turn: each request becomes a dialog, and its promise is settled by a key, once. */

import { type ApprovalAnswer, ApprovalOutcome, type FileChange, type PermissionRequest } from "../shared/contracts";
import type { QuestionOption } from "../shared/events";
import type { DirectoryAnswer, DirectoryRequest, PlanAnswer } from "../shared/handlers";
import { changeParts, describeProposal } from "./approvalParts";
import type { Approval } from "./dialogs/approval";
import type { Ask } from "./dialogs/dialog";
import { refuseDirectory } from "./dialogs/directory";
import { refusePlan } from "./dialogs/plan";
import { buildQuestion } from "./dialogs/question";
import type { EditedFile } from "./editor";
import type { ScreenStore } from "./ScreenStore";

interface Pending {
  settle(answer: unknown): void;
  /** What counts when nobody answers any more. */
  fallback: unknown;
  /** It belongs to the turn, not to a command of the person's. */
  ofTurn: boolean;
}

export class Asker {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  /** Requests of a turn that is over are not asked: their answer could reach nobody. */
  private isListening = false;

  constructor(private readonly store: ScreenStore) {}

  /** A turn begins. */
  listen(): void {
    this.isListening = true;
  }

  /** The approver of a session (guide 8.3). `preview` tells what a call would change. */
  async approve(
    request: PermissionRequest,
    preview: (request: PermissionRequest) => Promise<FileChange[]>,
  ): Promise<ApprovalAnswer> {
    const { parts, changes } = await describeProposal(request, preview);
    const ask: Ask = {
      kind: "approval",
      toolName: request.toolName,
      reason: request.reason,
      parts,
      isCommand: request.toolName === "run_shell",
      changes,
      isEdited: false,
      comment: null,
      refused: false,
    };
    return (await this.ask(ask, { outcome: ApprovalOutcome.DENY }, true)) as ApprovalAnswer;
  }

  async question(
    question: string,
    options: (string | QuestionOption)[],
    allowText: boolean,
    multi: boolean,
  ): Promise<string | string[] | null> {
    const ask = buildQuestion(question, options, { allowText, multi });
    return (await this.ask(ask, null, true)) as string | string[] | null;
  }

  async plan(plan: string): Promise<PlanAnswer> {
    if (!this.isListening) return refusePlan();
    this.store.say({ kind: "markdown", text: plan });
    return (await this.ask({ kind: "plan", comment: null }, refusePlan(), true)) as PlanAnswer;
  }

  async directory(request: DirectoryRequest): Promise<DirectoryAnswer> {
    const ask: Ask = { kind: "directory", ...request, refused: false };
    return (await this.ask(ask, refuseDirectory(), true)) as DirectoryAnswer;
  }

  /** A list or a yes-or-no that the person's own command opened. */
  choose<T>(ask: Extract<Ask, { kind: "picker" | "confirm" }>, fallback: T): Promise<T> {
    return this.ask(ask, fallback, false) as Promise<T>;
  }

  /** Lets the person change what would be written; the dialog then asks about that, from the beginning. */
  async editProposal(id: number, edit: (files: EditedFile[]) => Promise<string[] | null>): Promise<void> {
    const ask = this.store.state.dialogs.find((dialog) => dialog.id === id)?.ask;
    if (ask?.kind !== "approval") return;
    const files = ask.changes.flatMap(({ path, after }) => (after === null ? [] : [{ path, text: after }]));
    const texts = await edit(files);
    const isSame = !texts || files.every((file, index) => file.text === texts[index]);
    // Asked anew either way: keys meant for the editor may still be on their way.
    const next = isSame ? ask : await withTexts(ask, texts);
    this.store.dispatch({ type: "reasked", id, ask: next });
  }

  answer(id: number, answer: unknown): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.settle(answer ?? pending.fallback);
  }

  /** Ends all requests of the turn: none of them was allowed. */
  withdraw(): void {
    this.isListening = false;
    for (const [id, { ofTurn }] of [...this.pending]) if (ofTurn) this.answer(id, undefined);
    this.store.dispatch({ type: "withdrawn" });
  }

  private ask(ask: Ask, fallback: unknown, ofTurn: boolean): Promise<unknown> {
    if (ofTurn && !this.isListening) return Promise.resolve(fallback);
    const id = ++this.lastId;
    const answered = new Promise((settle) => this.pending.set(id, { settle, fallback, ofTurn }));
    this.store.dispatch({ type: "asked", id, ask });
    return answered;
  }
}

/** The proposal with the texts as the person left them, in the order of the files that have one. */
async function withTexts(ask: Approval, texts: readonly string[]): Promise<Approval> {
  const left = [...texts];
  const changes = ask.changes.map((change) => ({
    ...change,
    after: change.after === null ? null : (left.shift() ?? null),
  }));
  return { ...ask, changes, isEdited: true, refused: false, parts: await changeParts(changes) };
}
