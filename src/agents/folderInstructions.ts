/** Instruction files in folders below the workspace: each is announced when a tool first touches its folder. */

import { dirname, join, relative, resolve, sep } from "node:path";
import { pathsWritten } from "../engine/toolRun";
import type { Message } from "../shared/messages";
import { textOf } from "../shared/messages";
import { isInside, realPathOf } from "../shared/paths";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { instructionFileIn } from "./projectInstructions";

/** Packages of others bring wishes of others; what breaks out of a sentence is no name to repeat. */
const foreignFolder = /(?:^|\/)(?:node_modules|\.git)(?:\/|$)|[<>\p{Cc}]/u;

/**
 * Watches a history for the folders that its calls touch. What was announced is read from the history itself, so that it
 * holds over a restart, and a compaction that took the announcement away lets it be made again.
 */
export class FolderInstructions {
  private readonly root: string;
  private seen: { messages: readonly Message[]; length: number } | null = null;
  private announced = new Set<string>();

  constructor(
    private readonly workspace: string,
    private readonly registry: ToolRegistry,
  ) {
    this.root = realPathOf(workspace);
  }

  /** Sentences for the model about files that it has not been told of, outermost first. Never throws. */
  news(messages: readonly Message[]): string[] {
    const isSame = this.seen?.messages === messages;
    const from = isSame ? (this.seen?.length ?? 0) : 0;
    if (!isSame) this.announced = new Set(messages.flatMap(announcedIn));
    this.seen = { messages, length: messages.length };
    const folders = new Set<string>();
    for (const path of messages.slice(from).flatMap((message) => this.pathsIn(message))) {
      // Who reads or writes the file itself need not be told of it.
      this.announced.add(path);
      for (const folder of this.foldersDownTo(path)) folders.add(folder);
    }
    return [...folders].sort(byDepth).flatMap((folder) => this.announce(folder));
  }

  private announce(folder: string): string[] {
    const name = instructionFileIn(join(this.root, folder))?.split(sep).join("/");
    const file = `${folder}/${name}`;
    if (name === undefined || this.announced.has(file)) return [];
    this.announced.add(file);
    return [
      `The project has instructions for ${folder}/ and all below it, where you have come to: ${file}. Read that file before you go on there.`,
    ];
  }

  /** The paths inside the workspace that a message's calls name, with `/`. */
  private pathsIn(message: Message): string[] {
    return (message.tool_calls ?? []).flatMap((call) => {
      const name = this.registry.resolveName(call.function.name) ?? call.function.name;
      const parsed = this.registry.parseArguments(name, call.function.arguments);
      if ("fault" in parsed) return [];
      const { args } = parsed;
      const spec = this.registry.get(name);
      const named = [args["path"], args["cwd"], ...pathsWritten({ args, ...(spec && { spec }) })];
      return named.flatMap((path) => (typeof path === "string" ? this.inside(path) : []));
    });
  }

  private inside(path: string): string[] {
    const real = realPathOf(resolve(this.workspace, path));
    return isInside(this.root, real) ? [relative(this.root, real).split(sep).join("/")] : [];
  }

  /** The folders from below the workspace down to a path, itself included: it may be one. */
  private foldersDownTo(path: string): string[] {
    if (path === "" || foreignFolder.test(path)) return [];
    const above = dirname(path);
    return above === "." ? [path] : [...this.foldersDownTo(above), path];
  }
}

function byDepth(a: string, b: string): number {
  return a.split("/").length - b.split("/").length || a.localeCompare(b);
}

const sentence = /where you have come to: (.+?)\. Read that file before you go on there\./g;

function announcedIn(message: Message): string[] {
  if (message.role !== "user") return [];
  return [...textOf(message.content).matchAll(sentence)].map(([, file = ""]) => file);
}
