/** apply_patch and apply_unified_diff: from the patch text to drafts of every file. */

import { existsSync } from "node:fs";
import { resolveTarget } from "../targets";
import { isAbsent, textArgument } from "./args";
import { EditRefused } from "./match/refusal";
import { draftOperations } from "./operations";
import { type FileOperation, pathsOf } from "./patch/hunks";
import { parsePatch } from "./patch/patchParser";
import { operationOf, parseUnifiedDiff } from "./patch/unifiedParser";
import type { EditPlace, EditTool } from "./runEdit";

export const patchTool: EditTool = {
  style: "edit",
  paths: (args, place) => patchOperations(args, place).flatMap(pathsOf),
  plan: (args, place) =>
    draftOperations(patchOperations(args, place), place, {
      fuzz: 0,
      appendsByDefault: true,
      existsHint: "Use *** Update File to change it.",
    }),
};

export const unifiedDiffTool: EditTool = {
  style: "edit",
  paths: (args, place) => diffOperations(args, place).flatMap(pathsOf),
  plan: (args, place) =>
    draftOperations(diffOperations(args, place), place, {
      fuzz: 2,
      appendsByDefault: false,
      existsHint: "The diff would create it: send a diff against what is there.",
    }),
};

/** `a/` and `b/` fall away where only the bare path is there. */
function patchOperations(args: Record<string, unknown>, place: EditPlace): FileOperation[] {
  const exists = existsIn(place);
  return parsePatch(textArgument(args, "patch")).map((operation) => {
    if (operation.kind === "add") return operation;
    const bare = operation.path.replace(/^[ab]\//, "");
    if (bare === operation.path || exists(operation.path) || !exists(bare)) return operation;
    const moveTo = operation.kind === "update" ? operation.moveTo : undefined;
    return { ...operation, path: bare, ...(moveTo === undefined ? {} : { moveTo: moveTo.replace(/^[ab]\//, "") }) };
  });
}

function diffOperations(args: Record<string, unknown>, place: EditPlace): FileOperation[] {
  const diff = textArgument(args, "diff");
  const files = parseUnifiedDiff(diff);
  if (/^\*\*\* Begin Patch/m.test(diff) && files.every((file) => file.header === null)) {
    throw new EditRefused("This is a patch in the form of apply_patch: use that tool.");
  }
  if (files.length === 0) throw new EditRefused("The diff holds no change: neither a file header nor an @@ hunk.");
  const given = isAbsent(args["path"]) || args["path"] === "" ? undefined : textArgument(args, "path");
  const path = files.length === 1 ? given : undefined;
  return files.map((file) => operationOf(file, existsIn(place), path));
}

/** Only inside the places that may be written: a path elsewhere tells nothing. */
function existsIn(place: EditPlace): (path: string) => boolean {
  return (path) => {
    try {
      return existsSync(resolveTarget(place.roots, path, { forWriting: true }).realPath);
    } catch {
      return false;
    }
  };
}
