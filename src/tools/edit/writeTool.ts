/** write_file: a new file, or a whole new content for an old one, in the form that the old one has. */

import type { FileContent } from "../../shared/files";
import { resolveTarget, type Target } from "../targets";
import { textArgument } from "./args";
import { Draft } from "./disk/Draft";
import { loadBytes, toText } from "./disk/loadText";
import { type LoadedText, partAround, widened } from "./disk/textPart";
import { findPlaceholder, placeholderText } from "./match/placeholder";
import { EditRefused } from "./match/refusal";
import type { EditPlace, EditTool } from "./runEdit";
import { countEndings, type EndingCounts, endingOf, withEnding } from "./text/TextModel";
import { rangeOfChange, utf8File } from "./text/utf8File";

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
  if (!bytes) {
    checkPlaceholder(content, "");
    return [new Draft({ target, original: null, splices: [{ start: 0, end: 0, text: content }] })];
  }
  const { loaded, text } = changedPart(bytes, content) ?? inWhole(await toText(target, bytes, place.encoding), content);
  if (text === loaded.decoded.text) return `No change: ${target.shown} has this content already.`;
  checkPlaceholder(content, loaded);
  await checkRead(target, loaded, place);
  const original = { target, content: loaded, text: loaded };
  return [new Draft({ target, original, splices: [], isExact: false }).replace(text)];
}

/** What was taken up of a file, and what shall stand there. */
interface Rewrite {
  loaded: LoadedText;
  text: string;
}

function inWhole(loaded: LoadedText, content: string): Rewrite {
  const { decoded } = loaded;
  return { loaded, text: inFormOf({ hasMark: decoded.bomBytes > 0, endings: countEndings(decoded.text) }, content) };
}

/** The part in which the new content differs; undefined where bytes do not tell, or where that is most of the file. */
function changedPart(old: FileContent, content: string): Rewrite | undefined {
  const file = utf8File(old);
  if (!file || LONE_SURROGATE.test(content)) return undefined;
  const hasMark = file.body.length < old.bytes.length;
  const fresh = Buffer.from(inFormOf({ hasMark, endings: file.endings }, content));
  const loaded = partAround(file, rangeOfChange(file.body, fresh));
  if (!loaded) return undefined;
  const { start, end } = loaded.part;
  const before = start - (old.bytes.length - file.body.length);
  return { loaded, text: fresh.toString("utf8", before, fresh.length - (old.bytes.length - end)) };
}

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** Line ends and byte order mark stay as they are: a model sends neither. */
function inFormOf({ hasMark, endings }: { hasMark: boolean; endings: EndingCounts }, content: string): string {
  const text = hasMark ? content.replace(/^\uFEFF/, "") : content;
  return endingOf(endings) === "\r\n" && !text.includes("\r") ? withEnding(text, "\r\n") : text;
}

/** The old text is only looked at, and decoded, where the new one has a line that may be meant literally. */
function checkPlaceholder(content: string, old: LoadedText | ""): void {
  if (findPlaceholder(content, "") === undefined) return;
  const line = findPlaceholder(content, old && widened(old).decoded.text);
  if (line !== undefined) throw new EditRefused(placeholderText("content", line));
}

/** What the session never saw it does not overwrite. */
async function checkRead(target: Target, loaded: LoadedText, { guard }: EditPlace): Promise<void> {
  if (!guard || loaded.bytes.length === 0) return;
  if ((await guard.stateOf(target.realPath, loaded)) !== "unknown") return;
  throw new EditRefused(
    `${target.shown} exists and has not been read in this session. Read it first, or use replace_in_file.`,
  );
}
