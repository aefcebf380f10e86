/** Small figures: spinner frames, durations, counts of tokens, shortened paths. */

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"];

export function spinner(beat: number): string {
  return frames[beat % frames.length] ?? "⠋";
}

/** `340 ms`, `3.2 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : elapsedText(ms);
}

/** Whole seconds, for a time that still runs: `4 s`, `2 min 5 s`. */
export function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `950`, `3.4k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${shorten(count / 1_000)}k`;
  return `${shorten(count / 1_000_000)}M`;
}

function shorten(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}

/** A folder as a person knows it: `~` for the home folder. */
export function folderText(folder: string, home: string): string {
  if (home !== "" && folder === home) return "~";
  return home !== "" && folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/** `2026-12-01 17:40` in local time, or the text itself when it is no time. */
export function whenText(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
