/** write_file: a new file, or a whole new content for an old one, in the form that the old one has. */

import { resolveTarget, type Target } from "../targets";
import { textArgument } from "./args";
import { Draft } from "./disk/Draft";
import { type LoadedText, loadBytes, toText } from "./disk/loadText";
import { findPlaceholder, placeholderText } from "./match/placeholder";
import { EditRefused } from "./match/refusal";
import type { EditPlace, EditTool } from "./runEdit";
import { countEndings, endingOf, withEnding } from "./text/TextModel";

export const writeTool: EditTool = {
  style: "whole",
  paths: (args) => [textArgument(args, "path")],
  plan: async (args, place) => {
    const target = resolveTarget(place.roots, textArgument(args, "path"), { forWriting: true });
    return planWrite(target, contentOf(args["content"]), place);
  },
};

/** Models send an object where JSON text is meant. */
function contentOf(content: unknown): string {
  if (typeof content === "object" && content !== null) return `${JSON.stringify(content, null, 2)}\n`;
  return textArgument({ content }, "content");
}

async function planWrite(target: Target, content: string, place: EditPlace): Promise<Draft[] | string> {
  const bytes = await loadBytes(target);
  const loaded = bytes && (await toText(target, bytes, place.encoding));
  const old = loaded?.decoded.text ?? "";
  const text = loaded ? inFormOf(loaded, content) : content;
  if (loaded && text === old) return `No change: ${target.shown} has this content already.`;
  const line = findPlaceholder(content, old);
  if (line !== undefined) throw new EditRefused(placeholderText("content", line));
  if (!loaded) return [new Draft({ target, original: null, splices: [{ start: 0, end: 0, text }] })];
  await checkRead(target, loaded, place);
  const original = { target, content: loaded, text: loaded };
  return [new Draft({ target, original, splices: [], isExact: false }).replace(text)];
}

/** Line ends and byte order mark stay as they are: a model sends neither. */
function inFormOf({ decoded, bytes }: LoadedText, content: string): string {
  const text = decoded.bomBytes > 0 ? content.replace(/^\uFEFF/, "") : content;
  const isCrlf = bytes.length > 0 && endingOf(countEndings(decoded.text)) === "\r\n";
  return isCrlf && !text.includes("\r") ? withEnding(text, "\r\n") : text;
}

/** What the session never saw it does not overwrite. */
async function checkRead(target: Target, loaded: LoadedText, { guard }: EditPlace): Promise<void> {
  if (!guard || loaded.bytes.length === 0) return;
  if ((await guard.stateOf(target.realPath, loaded)) !== "unknown") return;
  throw new EditRefused(
    `${target.shown} exists and has not been read in this session. Read it first, or use replace_in_file.`,
  );
}
