/** The row that says what the turn is doing, with the spinner: the only row that moves by itself. */

import { visibleLine } from "../../render/sanitize";
import { cutLine } from "../../render/width";
import { fill } from "../../shared/locales";
import type { TextKey } from "../state/texts";
import type { Activity, Turn } from "../state/turn";
import { elapsedText, spinner } from "./figures";
import type { Room } from "./room";

const activityTexts: Record<Activity, TextKey> = {
  waiting: "activityWaiting",
  thinking: "activityThinking",
  answering: "activityAnswering",
  working: "activityWorking",
  compacting: "activityCompacting",
};

/** `still`: something waits for the person, so nothing moves. */
export function workRow(turn: Turn, room: Room, still: boolean): string {
  const mark = still ? room.paint("warn", "◦") : room.paint("accent", spinner(room.beat));
  const elapsed = room.now - turn.startedAt;
  const rest = [still || elapsed < 1_000 ? "" : elapsedText(elapsed), room.texts.escStops];
  const shown = turn.stopping ? [] : rest.filter((part) => part !== "");
  return cutLine(
    `${mark} ${headText(turn, room)}${shown.map((part) => room.paint("dim", ` · ${part}`)).join("")}`,
    room.width,
  );
}

function headText(turn: Turn, { texts, now }: Room): string {
  if (turn.stopping) return texts.activityStopping;
  if (!turn.retry) return texts[activityTexts[turn.activity]];
  const { attempt, max, until, reason } = turn.retry;
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const text = seconds > 0 ? texts.retrying : texts.retryNow;
  return `${fill(text, { seconds, attempt, max })}: ${visibleLine(reason)}`;
}
