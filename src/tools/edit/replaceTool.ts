/** replace_in_file: its arguments, and the draft that they make of the file. */

import type { FileContent } from "../../shared/files";
import { missingFileText, resolveTarget, type Target } from "../targets";
import { flagArgument, isAbsent, textArgument } from "./args";
import { Draft } from "./disk/Draft";
import { loadBytes, toText } from "./disk/loadText";
import { ifExact, type LoadedText, partAround } from "./disk/textPart";
import { rangeOfEdits } from "./match/editRange";
import { EditRefused } from "./match/refusal";
import { type Edit, replaceInText } from "./match/replace";
import type { EditPlace, EditTool } from "./runEdit";
import { utf8File } from "./text/utf8File";

export const replaceTool: EditTool = {
  style: "edit",
  paths: (args) => [textArgument(args, "path")],
  plan: async (args, place) => {
    const target = resolveTarget(place.roots, textArgument(args, "path"), { forWriting: true });
    return [await planReplace(target, readEdits(args), place)];
  },
};

async function planReplace(target: Target, edits: readonly Edit[], place: EditPlace): Promise<Draft> {
  const content = await loadBytes(target);
  const isCreation = edits[0]?.old === "";
  if (!content && !isCreation) throw new EditRefused(await missingFileText(place.roots, target.shown));
  const part = content && touchedPart(content, edits);
  const exact = part && ifExact(() => draftEdits(target, part, edits));
  return exact ?? draftEdits(target, content && (await toText(target, content, place.encoding)), edits);
}

function touchedPart(content: FileContent, edits: readonly Edit[]): LoadedText | undefined {
  const file = utf8File(content);
  const range = file && rangeOfEdits(file, edits);
  return range && partAround(file, range);
}

function draftEdits(target: Target, text: LoadedText | null, edits: readonly Edit[]): Draft {
  const rules = { path: target.shown, ...(text ? { outside: text.part.outside } : {}) };
  const { splices, notes } = replaceInText(text?.decoded.text ?? "", edits, rules);
  const original = text && { target, content: text, text };
  const draft = new Draft({ target, original, splices, notes, isExact: notes.length === 0 });
  if (!original || draft.hasNewText) return draft;
  throw new EditRefused(`No change: ${target.shown} reads so already.`);
}

/** The pair of the call, the pairs in `edits`, or both, the single pair first. */
function readEdits(args: Record<string, unknown>): Edit[] {
  const several = listOf(args["edits"]).map((item, at) => readEdit(item, `edits[${at}].`));
  const isGiven = !isAbsent(args["old_string"]) || !isAbsent(args["new_string"]);
  // Models fill the single pair with empty texts when they mean the list.
  const isBlank = several.length > 0 && !args["old_string"] && !args["new_string"];
  if (!isGiven || isBlank) return several.length > 0 ? several : [readEdit(args, "")];
  const single = readEdit(args, "");
  const isRepeated = several.some((edit) => edit.old === single.old && edit.text === single.text);
  return isRepeated ? several : [single, ...several];
}

function readEdit(item: Record<string, unknown>, prefix: string): Edit {
  if (isAbsent(item["old_string"]) || isAbsent(item["new_string"])) {
    const missing = isAbsent(item["old_string"]) ? "old_string" : "new_string";
    throw new EditRefused(`${prefix}${missing} is required (string). To delete text give an empty new_string.`);
  }
  return {
    old: textArgument(item, "old_string"),
    text: textArgument(item, "new_string"),
    replaceAll: flagArgument(item["replace_all"]),
  };
}

function listOf(edits: unknown): Record<string, unknown>[] {
  if (isAbsent(edits) || edits === "") return [];
  const list = typeof edits === "string" ? parseList(edits) : edits;
  const items: unknown[] = Array.isArray(list) ? list : [list];
  return items.map((item) => {
    if (typeof item === "object" && item !== null) return item as Record<string, unknown>;
    throw new EditRefused("edits must be a list of objects with old_string and new_string.");
  });
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EditRefused("edits must be a list of objects with old_string and new_string.");
  }
}
