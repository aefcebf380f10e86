/** Keeps the status line true to the session: mode, model, usage, branch; and tells what went wrong beside the work. */

import { gitHead } from "../shared/gitHead";
import type { ScreenSession } from "./ScreenSession";
import type { ScreenStore } from "./ScreenStore";
import type { Status } from "./view/statusLine";

export class StatusFeed {
  private session: ScreenSession | null = null;
  private branch: string | null = null;
  private problemsTold = 0;

  constructor(
    private readonly store: ScreenStore,
    private readonly home: string,
  ) {}

  /** From now on this session is shown. */
  follow(session: ScreenSession): void {
    this.session = session;
    this.problemsTold = 0;
    this.branch = gitHead(session.workspace)?.branch ?? null;
  }

  /** The state of things now; null before there is a session. */
  get status(): Status | null {
    if (!this.session) return null;
    const { mode, model, workspace } = this.session;
    const usage = this.session.usage();
    return { mode, model, usage, folder: workspace, home: this.home, branch: this.branch };
  }

  /** Shows what has changed. */
  refresh(): void {
    const { status } = this;
    if (!status || JSON.stringify(status) === JSON.stringify(this.store.state.status)) return;
    this.store.dispatch({ type: "status", status }, "soon");
  }

  /** A turn may have switched the branch. */
  refreshBranch(): void {
    if (!this.session) return;
    this.branch = gitHead(this.session.workspace)?.branch ?? null;
    this.refresh();
  }

  /** Says each problem of the session once. */
  tellProblems(): void {
    const problems = this.session?.problems ?? [];
    for (const detail of problems.slice(this.problemsTold)) {
      this.store.say({ kind: "notice", tone: "warn", text: "problem", values: { detail } });
    }
    this.problemsTold = problems.length;
  }
}
