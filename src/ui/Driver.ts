/** Carries out what the screen asks for: opens sessions, runs turns, has the person asked on their behalf, and leaves. */

import type { BlockSplitter } from "../render/markdown/blocks";
import { plainText } from "../render/sanitize";
import type { WsEvent } from "../shared/events";
import { Asker } from "./Asker";
import type { CommandDesk } from "./CommandDesk";
import { runCommand } from "./commandRuns";
import type { CommandName } from "./commands";
import type { EditedFile } from "./editor";
import { followTurn } from "./followTurn";
import { replayItems, wholeItems } from "./replay";
import type { ScreenSession, SessionChoice } from "./ScreenSession";
import type { ScreenStore } from "./ScreenStore";
import { StatusFeed } from "./StatusFeed";
import { LEAVE_WINDOW_MS } from "./state/inputUpdate";
import type { Effect } from "./state/ScreenState";
import type { Activity } from "./state/turn";

export interface DriverWorld {
  openSession(choice: SessionChoice): Promise<ScreenSession>;
  createSplitter(): BlockSplitter;
  /** Opens the person's editor on these texts; null when nothing came of it. */
  edit(files: EditedFile[]): Promise<string[] | null>;
  redraw(): void;
  suspend(): void;
  /** Remembers a text that was sent; never rejects. */
  remember(text: string): Promise<void>;
  /** Called once the person has left and the session is closed. */
  onLeft(): void;
  home: string;
}

/** How long leaving waits for a running turn to stop. */
const STOP_GRACE_MS = 2_000;
/** Items of an earlier conversation that go up in one piece: keys are heard in between. */
const REPLAY_BATCH = 40;

export class Driver {
  readonly asker: Asker;
  private readonly feed: StatusFeed;
  private session: ScreenSession | null = null;
  private running: Promise<void> | null = null;
  private opening: Promise<void> | null = null;
  private remembered: Promise<void> = Promise.resolve();
  private isLeaving = false;
  /** How many results and thoughts were shown since the last turn. */
  private resultsShown = 0;

  constructor(
    private readonly store: ScreenStore,
    private readonly world: DriverWorld,
  ) {
    this.asker = new Asker(store);
    this.feed = new StatusFeed(store, world.home);
    store.carryOut((effect) => this.perform(effect));
  }

  get current(): ScreenSession | null {
    return this.session;
  }

  /** Opens a session in place of the one that is open; if it cannot be opened, that one stays. Rejects with the reason. */
  open(choice: SessionChoice): Promise<void> {
    const opening = this.openNext(choice);
    this.opening = opening.catch(() => undefined);
    return opening;
  }

  private async openNext(choice: SessionChoice): Promise<void> {
    if (this.isLeaving) return;
    const before = this.session;
    this.store.dispatch({ type: "opening" });
    const session = await this.world.openSession(choice).catch((error) => {
      this.tellOpened();
      throw error;
    });
    this.session = session;
    await before?.close().catch(() => undefined);
    session.setApprover((request) => this.asker.approve(request, (wanted) => session.preview(wanted)));
    await this.feed.follow(session);
    if (choice.kind === "resume") await this.replay(session);
    this.feed.tellProblems();
    this.tellOpened();
  }

  private tellOpened(): void {
    const { status } = this.feed;
    if (status) this.store.dispatch({ type: "opened", status });
  }

  /** Stops what runs and closes the session; every way out goes through here. */
  async leave(): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.store.dispatch({ type: "leaving" });
    this.asker.withdraw();
    this.session?.interrupt();
    await Promise.race([Promise.all([this.running, this.opening, this.remembered]), after(STOP_GRACE_MS)]);
    await this.session?.close().catch(() => undefined);
    this.world.onLeft();
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case "run":
        this.run(effect.prompt);
        break;
      case "interrupt":
        this.session?.interrupt();
        this.asker.withdraw();
        break;
      case "steer":
        this.remember(effect.text);
        this.session?.queueSteering(effect.text);
        break;
      case "takeBack":
        this.takeBack();
        break;
      case "command":
        this.command(effect.name, effect.argument);
        break;
      case "setMode":
        this.session?.setMode(effect.mode);
        this.feed.refresh();
        break;
      case "answer":
        this.asker.answer(effect.id, effect.answer);
        break;
      case "editProposal":
        void this.asker.editProposal(effect.id, (files) => this.world.edit(files));
        break;
      case "editDraft":
        void this.editDraft(effect.text);
        break;
      case "showResult":
        this.showResult();
        break;
      default:
        this.performOnTerminal(effect.kind);
    }
  }

  private performOnTerminal(kind: "disarm" | "redraw" | "suspend" | "leave"): void {
    if (kind === "disarm") void after(LEAVE_WINDOW_MS).then(() => this.store.dispatch({ type: "disarmed" }));
    else if (kind === "redraw") this.world.redraw();
    else if (kind === "suspend") this.world.suspend();
    else void this.leave();
  }

  private run(prompt: string): void {
    if (!this.session) return;
    this.remember(prompt);
    this.store.say({ kind: "user", text: prompt });
    this.follow(this.session.run(prompt));
  }

  private async editDraft(text: string): Promise<void> {
    const [edited] = (await this.world.edit([{ path: "prompt.md", text }])) ?? [];
    if (edited !== undefined) this.store.dispatch({ type: "drafted", text: plainText(edited).replace(/\n$/, "") });
  }

  private remember(text: string): void {
    this.remembered = Promise.all([this.remembered, this.world.remember(text)]).then(() => undefined);
  }

  /** Follows a stream of events on the screen until it ends. */
  private follow(events: AsyncIterable<WsEvent>, activity?: Activity): void {
    this.store.dispatch({ type: "started", activity });
    this.asker.listen();
    this.resultsShown = 0;
    const { store } = this;
    const { createSplitter } = this.world;
    this.running = followTurn(events, { store, createSplitter, onProgress: () => this.feed.refresh() }).then((end) => {
      this.running = null;
      this.asker.withdraw();
      this.feed.refresh();
      this.feed.tellProblems();
      store.dispatch({ type: "ended", ...end });
      void this.feed.refreshBranch();
    });
  }

  private command(name: CommandName, argument: string): void {
    this.remember(`/${name} ${argument}`.trim());
    const { session, store } = this;
    if (name === "quit") void this.leave();
    else if (session) void runCommand(this.desk(session), name, argument);
    else store.dispatch({ type: "hinted", text: "notStarted" });
  }

  private desk(session: ScreenSession): CommandDesk {
    return {
      session,
      texts: this.store.texts,
      say: (...items) => this.store.say(...items),
      choose: (ask, fallback) => this.asker.choose(ask, fallback),
      open: (choice) => this.open(choice),
      follow: (events, activity) => this.follow(events, activity),
      refresh: () => this.feed.refresh(),
      leave: () => this.leave(),
    };
  }

  /** Steering counts as taken back only if the session still had it. */
  private takeBack(): void {
    const { queue } = this.store.state;
    const texts = queue.filter((entry) => entry.when !== "now" || this.session?.removeSteering(entry.text));
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

  /** Prints the newest whole result or thought; asked again, the one before it. */
  private showResult(): void {
    const whole = wholeItems(this.session?.history() ?? []);
    const item = whole[whole.length - 1 - (this.resultsShown % Math.max(1, whole.length))];
    this.resultsShown++;
    this.store.say(item ?? { kind: "notice", tone: "plain", text: "resultNone" });
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
