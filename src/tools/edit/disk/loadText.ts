/** A file as the edit tools take it up: bytes, text and stamp, or a refusal in words that the model can act on. */

import { decodeText, isBinary } from "../../../shared/encoding";
import { codeOf } from "../../../shared/errors";
import { fileError } from "../../../shared/fileStamps";
import { type FileContent, isMissing, readRegularFile } from "../../../shared/files";
import type { Target } from "../../targets";
import { EditRefused } from "../match/refusal";
import { type LoadedText, wholeText } from "./textPart";

/** Beyond this a text does not fit into one string with room to work. */
const MAX_EDIT_BYTES = 256 * 1024 * 1024;

/** Reads a file's bytes; `null` when there is none. Throws `EditRefused` for folders, devices and huge files. */
export async function loadBytes(target: Target): Promise<FileContent | null> {
  try {
    return await readRegularFile(target.realPath, MAX_EDIT_BYTES);
  } catch (error) {
    if (isMissing(error)) return null;
    throw kindError(target, error);
  }
}

/** All of a text file, for editing. `encoding`: the person's choice for files that are not UTF-8. */
export async function toText(target: Target, content: FileContent, encoding?: string): Promise<LoadedText> {
  if (isBinary(content.bytes)) throw new EditRefused(`${target.shown} is a binary file.`);
  const decoded = await decodeText(content.bytes, encoding);
  if (decoded.isWritable) return wholeText(content, decoded);
  throw new EditRefused(`${target.shown} is in no encoding that can be written back; convert it first.`);
}

function kindError(target: Target, error: unknown): Error {
  switch (codeOf(error)) {
    case "IsDirectory":
      return new EditRefused(`${target.shown} is a directory.`);
    case "NotRegularFile":
      return new EditRefused(`${target.shown} is not a regular file.`);
    case "FileTooLarge":
      return new EditRefused(`${target.shown} is too large to edit (the limit is 256 MB).`);
    default:
      return fileError("read", target.shown, error);
  }
}
