/** What of a file edits can touch when all of them match exactly, told from its bytes. */

import { toLf } from "../text/TextModel";
import { type ByteRange, rangeAround, rangeOf, type Utf8File } from "../text/utf8File";
import type { Edit } from "./replace";

/**
 * The range of all their places. Undefined where one stands nowhere, or in several places though only one is meant:
 * then the whole file has to be looked at.
 */
export function rangeOfEdits(file: Utf8File, edits: readonly Edit[]): ByteRange | undefined {
  const ranges: ByteRange[] = [];
  for (const edit of edits) {
    const range = rangeOf(file, toLf(edit.old), { several: edit.replaceAll });
    if (!range) return undefined;
    ranges.push(range);
  }
  const all = rangeAround(ranges);
  if (!all) return undefined;
  // A later edit may match what an earlier one made, together with text beside it.
  const reach = edits.length === 1 ? 0 : Math.max(...edits.map((edit) => Buffer.byteLength(edit.old) * 2));
  return { start: Math.max(0, all.start - reach), end: Math.min(file.body.length, all.end + reach) };
}
