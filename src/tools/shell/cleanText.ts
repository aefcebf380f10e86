/** Takes escape sequences and control characters out of a stream of text, also when they are split over chunks. */

/** Escape sequences in full: CSI; OSC, DCS, SOS, PM, APC with their end; and the short ones. */
const sequence =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-OQ-WYZ\\`-~]/g;

/** The beginning of one that the next chunk may finish. */
const unfinished =
  /^(?:\x1b[ -/]*|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*\x1b?)$/;

const introducer = /[\x1b\x90\x98\x9b\x9d-\x9f]/;
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const anyControl = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** No sequence of use is longer; one that never ends must not swallow the output. */
const LONGEST = 4096;

/** One cleaner per stream. Keeps tabs, newlines and carriage returns. */
export class TextCleaner {
  private pending = "";

  /** The text that is certain by now. */
  feed(text: string): string {
    if (this.pending === "" && !anyControl.test(text)) return text;
    const rest = (this.pending + text).replace(sequence, "");
    this.pending = "";
    const at = rest.search(introducer);
    if (at < 0 || rest.length - at > LONGEST || !unfinished.test(rest.slice(at))) return rest.replace(control, "");
    this.pending = rest.slice(at);
    return rest.slice(0, at).replace(control, "");
  }

  /** What was held back, at the end of the stream: an unfinished sequence shows nothing. */
  end(): string {
    const text = this.pending;
    this.pending = "";
    return introducer.test(text) ? "" : text;
  }
}
