/** The second stage of the start: Markdown, earlier prompts and the session, joined to the screen that stands already. */

import { MarkdownRenderer } from "../render/MarkdownRenderer";
import { BlockSplitter } from "../render/markdown/blocks";
import { loadLexer } from "../render/markdown/lexer";
import { plainText } from "../render/sanitize";
import { Driver } from "./Driver";
import { editFiles } from "./editor";
import { openHistory } from "./input/history";
import type { Mounted } from "./mount";
import type { ScreenOptions } from "./ScreenOptions";
import type { Terminal } from "./terminal/Terminal";
import type { RenderMarkdown } from "./view/items";

export interface EngineSide {
  mounted: Mounted;
  terminal: Terminal;
  options: ScreenOptions;
  onLeft(): void;
}

/** Resolves when the session begins to be opened; `opened` settles with that. Keys pressed before are carried out. */
export async function createEngineSide(side: EngineSide): Promise<{ driver: Driver; opened: Promise<void> }> {
  const { mounted, terminal, options, onLeft } = side;
  const { store } = mounted;
  const [markdown, lexer, history] = await Promise.all([
    createMarkdown(options.color),
    loadLexer(),
    openHistory(options.stateDir, options.workspace),
  ]);
  store.adoptMarkdown(markdown);
  store.dispatch({ type: "remembered", entries: history.entries.map(plainText) });
  const driver = new Driver(store, {
    openSession: options.openSession,
    createSplitter: () => new BlockSplitter(lexer),
    remember: (text) => history.add(text),
    redraw: () => mounted.redraw(true),
    edit: (files) => {
      mounted.vacate();
      return terminal.lend(() => editFiles(files));
    },
    suspend: () => {
      mounted.vacate();
      terminal.suspend();
    },
    home: options.homeDir,
    onLeft,
  });
  answerFor(driver, options);
  if (options.initialPrompt) store.dispatch({ type: "queued", text: options.initialPrompt });
  return { driver, opened: driver.open(options.choice ?? { kind: "new" }) };
}

/** Streams keep the state of an open code block between their blocks, so whole texts have a renderer of their own. */
async function createMarkdown(color: boolean): Promise<RenderMarkdown> {
  const [texts, stream] = await Promise.all([MarkdownRenderer.create({ color }), MarkdownRenderer.create({ color })]);
  return {
    text(markdown, width) {
      texts.setWidth(width);
      return rowsOf(texts.render(markdown));
    },
    block(block, width) {
      stream.setWidth(width);
      return rowsOf(stream.renderBlock(block, true));
    },
  };
}

function rowsOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** The tools that ask a person find the person here (guide 4). */
function answerFor(driver: Driver, { handlers }: ScreenOptions): void {
  const { asker } = driver;
  handlers.setQuestionHandler((question, options, allowText, multi) =>
    asker.question(question, options, allowText, multi),
  );
  handlers.setPlanHandler((plan) => asker.plan(plan));
  handlers.setDirectoryHandler((request) => asker.directory(request));
}
