/** Reads waits as servers write them: spans (`6m0s`, `5分30秒`) and points in time, in headers, bodies and sentences alike. */

const DAY_MS = 86_400_000;
/** What lies further off is no wait but a mistake, or a clock that is wrong. */
const FURTHEST_MS = 60 * DAY_MS;
/** Numbers from here on count from 1970: in seconds, and from the second one on in milliseconds. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MS = 1e11;

/** Spellings of the units; the first that fits wins, so the longer stand in front. */
const UNITS: [spelling: string, ms: number][] = [
  ["(?:milliseconds?|millis|ms)(?![a-z])|毫秒|ミリ秒|밀리초", 1],
  ["(?:seconds?|secs?|s)(?![a-z])|秒[钟鐘間]?|초", 1_000],
  ["(?:minutes?|mins?|m)(?![a-z])|分[钟鐘間]?|분", 60_000],
  ["(?:hours?|hrs?|h)(?![a-z])|[个個]?小[时時]|[时時][间間]|시간", 3_600_000],
  ["(?:days?|d)(?![a-z])|天|日間?|일", DAY_MS],
];
const PIECES = UNITS.map(([spelling, ms]) => ({
  ms,
  piece: new RegExp(`^(\\d+(?:\\.\\d+)?)\\s*(?:${spelling})`, "i"),
}));
const AMOUNT = `\\d+(?:\\.\\d+)?\\s*(?:${UNITS.map(([spelling]) => spelling).join("|")})`;
const SPAN = `(?:${AMOUNT})(?:[\\s,]*(?:and\\s+)?(?:${AMOUNT}))*`;

/** A clock that names no zone is anybody's, and is not read. */
const ZONE = "(?:Z|(?:UTC|GMT)?[+-]\\d{1,2}(?::?\\d{2})?|UTC|GMT|[PMCE][SD]T)(?![a-z\\d])";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:\\s*[ap]m)?";
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DATE = `(?:\\d{4}-\\d{2}-\\d{2}[T\\s]|\\d{1,2}\\s${MONTH}\\s\\d{4},?\\s(?:at\\s)?|${MONTH}\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4},?\\s(?:at\\s)?)`;
const MOMENT = `(?:${DATE})?${CLOCK}\\s?\\(?${ZONE}|\\d{13}(?!\\d)|\\d{10}(?!\\d)`;

const WAIT = `((?:${SPAN})|(?:${MOMENT}))`;
/** Words that announce a wait; the number is the first that follows. */
const ANNOUNCED = new RegExp(
  `(?:try again|retry|retried|resets?|wait|available|refresh(?:es)?|until|等待|请等|請等|剩余|剩餘|还需|還需|重置|恢复|恢復|あと|残り|解除|リセット|남은)\\D{0,40}?${WAIT}`,
  "i",
);
/** Languages that put the wait in front of the word that says what it is for. A `内` in between makes it a measure, a
 * month in front of it a date. */
const FOLLOWED = new RegExp(
  `(?<![\\d.月월])${WAIT}[^\\d内稍,,。、]{0,6}?(?:[后後](?!台)|待|再試行|リセット|重置|恢复|恢復|후|뒤|기다|다시|초기화)`,
  "i",
);

/** A value that states a wait and nothing else, in milliseconds from `now`; a bare number is seconds or a point in time. */
export function readWait(value: unknown, now: number): number | undefined {
  const text = String(value ?? "").trim();
  if (/^\d+(\.\d+)?$/.test(text)) return withinBounds(ofNumber(Number(text), now));
  if (new RegExp(`^${SPAN}$`, "i").test(text)) return withinBounds(ofSpan(text));
  // Signed numbers and bare words are not for the date parser, which reads years into them.
  return /\d:\d/.test(text) ? withinBounds(Date.parse(text) - now) : undefined;
}

/** The wait that a sentence states, in milliseconds from `now`. */
export function readWaitIn(sentence: string, now: number): number | undefined {
  const stated = ANNOUNCED.exec(sentence)?.[1] ?? FOLLOWED.exec(sentence)?.[1];
  if (stated === undefined) return undefined;
  const isMoment = new RegExp(`^(?:${MOMENT})$`, "i").test(stated);
  return withinBounds(isMoment ? ofMoment(stated, now) : ofSpan(stated));
}

function withinBounds(ms: number): number | undefined {
  return ms >= 0 && ms <= FURTHEST_MS ? Math.round(ms) : undefined;
}

function ofNumber(value: number, now: number): number {
  if (value < FIRST_EPOCH_SECONDS) return value * 1_000;
  return (value < FIRST_EPOCH_MS ? value * 1_000 : value) - now;
}

function ofSpan(text: string): number {
  let total = 0;
  for (let rest = text; rest !== ""; ) {
    const found = PIECES.map(({ piece, ms }) => ({ ms, match: piece.exec(rest) })).find(({ match }) => match !== null);
    total += Number(found?.match?.[1] ?? 0) * (found?.ms ?? 0);
    rest = found?.match ? rest.slice(found.match[0].length) : rest.slice(1);
  }
  return total;
}

function ofMoment(text: string, now: number): number {
  if (/^\d+$/.test(text)) return ofNumber(Number(text), now);
  const isClock = new RegExp(`^${CLOCK}`, "i").test(text);
  const day = isClock ? new Date(now).toISOString().slice(0, 10) : "";
  const ms = Date.parse(parseable(isClock ? `${day} ${text}` : text)) - now;
  if (!isClock || Number.isNaN(ms)) return ms;
  // The next time that a clock shows this; a minute that has just begun is over at once.
  return ((((ms + 60_000) % DAY_MS) + DAY_MS) % DAY_MS) - 60_000;
}

/** What the date parser wants: no ordinals, no `at`, no bracket, four digits of zone, a space before am and pm. */
function parseable(text: string): string {
  return text
    .replace("(", " ")
    .replace(/(\d)(?:st|nd|rd|th)\b/i, "$1")
    .replace(/\sat\s/i, " ")
    .replace(/(\d)([ap]m)/i, "$1 $2")
    .replace(/(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i, (_all, sign: string, hours: string, minutes = "00") => {
      return `${sign}${hours.padStart(2, "0")}:${minutes}`;
    });
}
