/** The streamed answer on its way to the screen: deltas are gathered for 50 ms, cleaned, and cut into finished blocks. */

import type { BlockSplitter } from "../render/markdown/blocks";
import { PlainStream } from "../render/sanitize";
import type { ScreenStore } from "./ScreenStore";

const GATHER_MS = 50;
/** More than this is not gathered: what goes up in one piece must not take longer than a frame or two. */
const GATHER_CHARS = 2_000;

export class AnswerStream {
  private splitter: BlockSplitter;
  private plain = new PlainStream();
  private gathered = "";
  private timer: NodeJS.Timeout | null = null;
  private hasText = false;

  constructor(
    private readonly store: ScreenStore,
    private readonly createSplitter: () => BlockSplitter,
  ) {
    this.splitter = createSplitter();
  }

  push(text: string): void {
    this.gathered += text;
    this.hasText = true;
    if (this.gathered.length >= GATHER_CHARS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Brings what was gathered to the screen at once, so that what follows comes after it. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.gathered === "") return;
    const blocks = this.splitter.push(this.plain.push(this.gathered));
    this.gathered = "";
    this.store.dispatch({ type: "answer", blocks, tail: this.splitter.live.text });
  }

  /** The message is whole. `text` is all of it, for endpoints that do not stream. */
  end(text: string): void {
    if (!this.hasText && text !== "") this.push(text);
    if (!this.hasText) return;
    this.flush();
    const blocks = [...this.splitter.push(this.plain.end()), ...this.splitter.end()];
    this.store.dispatch({ type: "answer", blocks, tail: "" });
    this.reset();
  }

  /** Forgets an answer that broke off. */
  reset(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.splitter = this.createSplitter();
    this.plain = new PlainStream();
    this.gathered = "";
    this.hasText = false;
  }
}
