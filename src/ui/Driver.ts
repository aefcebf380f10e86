/** Carries out what the screen asks for: opens sessions, runs turns, asks the person on behalf of a turn, and leaves. */

import { EventType, isEvent, type TurnStatus, type WsEvent } from "../shared/events";
import { messageOf } from "../shared/errors";
import type { BlockSplitter } from "../render/markdown/blocks";
import { AnswerStream } from "./AnswerStream";
import { Asker } from "./Asker";
import { type CommandDesk, runCommand } from "./commandRuns";
import type { CommandName } from "./commands";
import { readBranch } from "./gitBranch";
import { replayItems } from "./replay";
import type { ScreenSession, SessionChoice } from "./ScreenSession";
import type { ScreenStore } from "./ScreenStore";
import type { Effect } from "./state/ScreenState";
import type { Activity } from "./state/turn";
import { LEAVE_WINDOW_MS } from "./state/inputUpdate";

export interface DriverWorld {
  openSession(choice: SessionChoice): Promise<ScreenSession>;
  /** Called once the person has left and the session is closed. */
  onLeft(): void;
  redraw(): void;
  suspend(): void;
  /** Only called once a session is open. */
  createSplitter(): BlockSplitter;
  /** Remembers a text that was sent. */
  remember(text: string): void;
  home: string;
}

/** How a turn ended, as far as its stream told. */
interface End {
  status: TurnStatus;
  iterations: number;
  files: readonly string[];
}

/** How long leaving waits for a running turn to stop. */
const STOP_GRACE_MS = 2_000;
/** Items of an earlier conversation that go up in one piece: keys are heard in between. */
const REPLAY_BATCH = 40;

export class Driver {
  readonly asker: Asker;
  private session: ScreenSession | null = null;
  private branch: string | null = null;
  private running: Promise<void> | null = null;
  private isLeaving = false;
  private shownResult = 0;

  constructor(
    private readonly store: ScreenStore,
    private readonly world: DriverWorld,
  ) {
    this.asker = new Asker(store);
    store.onEffect = (effect) => this.perform(effect);
  }

  get current(): ScreenSession | null {
    return this.session;
  }

  /** Opens a session in place of the one that is open; if it cannot be opened that one stays. Rejects with the reason. */
  async open(choice: SessionChoice): Promise<void> {
    const before = this.session;
    this.store.dispatch({ type: "opening" });
    const session = await this.world.openSession(choice).catch((error) => {
      if (before) this.store.dispatch({ type: "opened", status: this.status(before) });
      throw error;
    });
    this.session = session;
    await before?.close().catch(() => undefined);
    session.setApprover((request) => this.asker.approve(request, (wanted) => session.preview(wanted)));
    this.branch = await readBranch(session.workspace);
    if (choice.kind === "resume") await this.replay(session);
    this.store.dispatch({ type: "opened", status: this.status(session) });
  }

  /** Stops what runs and closes the session; used by every way out. */
  async leave(): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.store.dispatch({ type: "leaving" });
    this.asker.withdraw();
    if (this.running) {
      this.session?.interrupt();
      await Promise.race([this.running, after(STOP_GRACE_MS)]);
    }
    await this.session?.close().catch(() => undefined);
    this.world.onLeft();
  }

  /** Follows a stream of events on the screen until it ends. */
  follow(events: AsyncIterable<WsEvent>, activity?: Activity): void {
    this.store.dispatch({ type: "started", activity });
    this.asker.listen();
    this.shownResult = 0;
    this.running = this.drain(events).then((end) => {
      this.running = null;
      this.asker.withdraw();
      if (this.session) this.store.dispatch({ type: "status", status: this.status(this.session) });
      this.store.dispatch({ type: "ended", ...end });
      void this.refreshBranch();
    });
  }

  refresh(): void {
    if (!this.session) return;
    const status = this.status(this.session);
    if (JSON.stringify(status) !== JSON.stringify(this.store.state.status)) this.store.dispatch({ type: "status", status }, "soon");
  }

  private perform(effect: Effect): void {
    const { session } = this;
    switch (effect.kind) {
      case "run":
        if (session) this.run(session, effect.prompt);
        return;
      case "interrupt":
        session?.interrupt();
        return this.asker.withdraw();
      case "steer":
        this.world.remember(effect.text);
        return session?.queueSteering(effect.text);
      case "takeBack":
        return this.takeBack();
      case "command":
        this.world.remember(`/${effect.name}${effect.argument === "" ? "" : ` ${effect.argument}`}`);
        return this.command(effect.name, effect.argument);
      case "setMode":
        session?.setMode(effect.mode);
        return this.refresh();
      case "answer":
        return this.asker.answer(effect.id, effect.answer);
      case "showResult":
        return this.showResult();
      case "disarm":
        return void after(LEAVE_WINDOW_MS).then(() => this.store.dispatch({ type: "disarmed" }));
      case "redraw":
        return this.world.redraw();
      case "suspend":
        return this.world.suspend();
      case "leave":
        return void this.leave();
    }
  }

  private command(name: CommandName, argument: string): void {
    const { session } = this;
    if (name === "quit") return void this.leave();
    if (!session) return this.store.dispatch({ type: "hinted", text: "notStarted" });
    const desk: CommandDesk = {
      session,
      texts: this.store.texts,
      say: (...items) => this.store.say(...items),
      choose: (ask, fallback) => this.asker.choose(ask, fallback),
      open: (choice) => this.open(choice),
      follow: (events, activity) => this.follow(events, activity),
      refresh: () => this.refresh(),
      leave: () => this.leave(),
    };
    void runCommand(desk, name, argument);
  }

  private run(session: ScreenSession, prompt: string): void {
    this.world.remember(prompt);
    this.store.say({ kind: "user", text: prompt });
    this.follow(session.run(prompt));
  }

  private async drain(events: AsyncIterable<WsEvent>): Promise<End> {
    const answer = new AnswerStream(this.store, this.world.createSplitter);
    const end: End = { status: "completed", iterations: 0, files: [] };
    try {
      for await (const event of events) this.take(event, answer, end);
    } catch (error) {
      end.status = "error";
      answer.end("");
      this.store.dispatch({ type: "event", event: { type: EventType.ERROR, data: { error: messageOf(error), error_type: "" } } });
    }
    answer.end("");
    return end;
  }

  private take(event: WsEvent, answer: AnswerStream, end: End): void {
    if (isEvent(event, EventType.ASSISTANT_DELTA)) return answer.push(event.data.text);
    answer.flush();
    if (isEvent(event, EventType.ASSISTANT_MESSAGE)) answer.end(event.data.text);
    if (isEvent(event, EventType.LLM_RETRY)) answer.reset();
    if (isEvent(event, EventType.TURN_END)) {
      answer.end("");
      Object.assign(end, { status: event.data.status, iterations: event.data.iterations, files: event.data.produced_files ?? [] });
    }
    this.store.dispatch({ type: "event", event }, "soon");
    if (event.type !== EventType.TOOL_OUTPUT && event.type !== EventType.REASONING_DELTA) this.refresh();
  }

  /** Steering counts as taken back only if the session still had it. */
  private takeBack(): void {
    const texts = this.store.state.queue.filter((entry) => entry.when === "later" || this.session?.removeSteering(entry.text));
    this.store.dispatch({ type: "tookBack", texts });
  }

  private async replay(session: ScreenSession): Promise<void> {
    const items = replayItems(session.history());
    for (let at = 0; at < items.length; at += REPLAY_BATCH) {
      this.store.say(...items.slice(at, at + REPLAY_BATCH));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.store.say({ kind: "notice", tone: "plain", text: "sessionResumed", values: { id: session.id } });
  }

  /** Prints the newest whole result; pressed again, the one before it. */
  private showResult(): void {
    const cards = replayItems(this.session?.history() ?? []).filter((item) => item.kind === "card");
    const item = cards[cards.length - 1 - (this.shownResult % Math.max(1, cards.length))];
    if (!item) return this.store.say({ kind: "notice", tone: "plain", text: "resultNone" });
    this.shownResult++;
    this.store.say({ kind: "result", card: item.card, text: item.card.preview });
  }

  private async refreshBranch(): Promise<void> {
    if (!this.session) return;
    this.branch = await readBranch(this.session.workspace);
    this.refresh();
  }

  private status(session: ScreenSession) {
    const { mode, model, workspace } = session;
    return { mode, model, usage: session.usage(), folder: workspace, home: this.world.home, branch: this.branch };
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
