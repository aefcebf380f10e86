/** The row that says what the turn is doing, with the spinner: the only row that moves by itself. */

import { visibleLine } from "../../render/sanitize";
import { cutLine } from "../../render/width";
import { errorCause, waitValues } from "../../shared/errorSentence";
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

/** From here on the time of day says more than a number of seconds. */
const LONG_WAIT_S = 120;

function headText(turn: Turn, { texts, now }: Room): string {
  if (turn.stopping) return texts.activityStopping;
  if (!turn.retry) return texts[activityTexts[turn.activity]];
  const { attempt, max, until, reason, error_type } = turn.retry;
  const left = Math.max(0, until - now);
  const seconds = Math.ceil(left / 1_000);
  const cause = error_type === undefined ? reason : errorCause(texts.errors, turn.retry);
  if (seconds > LONG_WAIT_S) return `${fill(texts.retryAt, waitValues(texts.errors, left))}: ${visibleLine(cause)}`;
  const text = seconds > 0 ? texts.retrying : texts.retryNow;
  return `${fill(text, { seconds, attempt, max })}: ${visibleLine(cause)}`;
}
