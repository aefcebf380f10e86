/** Passes a command's output on while it runs: at most every 100 ms, and then only its newest 8 KB. */

const INTERVAL_MS = 100;
const MOST_CHARS = 8192;

export interface LiveOutput {
  take(text: string): void;
  /** Sends what is waiting. */
  flush(): void;
  /** The call is over: sends what is waiting, and nothing after it. */
  finish(): void;
}

/** A chunk that begins with a carriage return replaces the last unfinished line of what was sent before. */
export function createLiveOutput(send: (chunk: string) => void): LiveOutput {
  let isOpen = true;
  let waiting = "";
  let timer: NodeJS.Timeout | null = null;
  let sentAt = 0;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    // A return at the end says nothing yet: it belongs to the text that follows.
    const text = waiting.replace(/\r+$/, "");
    waiting = text.length < waiting.length ? "\r" : "";
    if (text === "") return;
    sentAt = Date.now();
    send(collapse(text));
  };
  return {
    take(text) {
      if (!isOpen) return;
      waiting = (waiting + text).slice(-MOST_CHARS);
      const wait = sentAt + INTERVAL_MS - Date.now();
      if (wait <= 0) flush();
      else timer ??= setTimeout(flush, wait);
    },
    flush,
    finish() {
      flush();
      isOpen = false;
    },
  };
}

/** Keeps the last state of progress lines; a return at the front stays, for it speaks of the line already sent. */
function collapse(text: string): string {
  const lines = text.replace(/\r+\n/g, "\n").split("\n");
  return lines.map((line, index) => lastState(line, index === 0)).join("\n");
}

function lastState(line: string, isFirst: boolean): string {
  const at = line.lastIndexOf("\r");
  if (at < 0) return line;
  return isFirst ? line.slice(at) : line.slice(at + 1);
}
