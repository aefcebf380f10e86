/** Where a command is carried out: the session, and as much of the screen as commands need. */

import type { WsEvent } from "../shared/events";
import type { Ask } from "./dialogs/dialog";
import type { ScreenSession, SessionChoice } from "./ScreenSession";
import type { Item } from "./state/items";
import type { UiTexts } from "./state/texts";
import type { Activity } from "./state/turn";

/** What a command may use of the screen. */
export interface CommandDesk {
  session: ScreenSession;
  texts: UiTexts;
  say(...items: Item[]): void;
  /** A list or a yes-or-no; `fallback` when the person closes it. */
  choose<T>(ask: Extract<Ask, { kind: "picker" | "confirm" }>, fallback: T): Promise<T>;
  open(choice: SessionChoice): Promise<void>;
  /** Shows a stream of events as a turn. */
  follow(events: AsyncIterable<WsEvent>, activity: Activity): void;
  /** The session's mode or model changed. */
  refresh(): void;
  leave(): Promise<void>;
}
