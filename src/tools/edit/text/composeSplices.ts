/** Edits on edits: joined into one list of splices that refers to the text as it was read. */

import type { Splice } from "./splices";

/** A text as pieces: ranges of the source, and new text between them. */
type Piece = { start: number; end: number } | { text: string };

/**
 * Two changes in a row as one: `later` is meant for the text that `earlier` makes of the source. Both sorted and
 * apart; so is the result, which refers to the source.
 */
export function composeSplices(sourceLength: number, earlier: readonly Splice[], later: readonly Splice[]): Splice[] {
  const reader = { pieces: piecesOf(sourceLength, earlier), at: 0, offset: 0 };
  const made: Piece[] = [];
  let position = 0;
  for (const splice of later) {
    made.push(...take(reader, splice.start - position), { text: splice.text });
    take(reader, splice.end - splice.start);
    position = splice.end;
  }
  return splicesOf(sourceLength, [...made, ...take(reader, Number.POSITIVE_INFINITY)]);
}

function piecesOf(sourceLength: number, splices: readonly Splice[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const splice of splices) {
    pieces.push({ start: at, end: splice.start }, { text: splice.text });
    at = splice.end;
  }
  return [...pieces, { start: at, end: sourceLength }];
}

interface Reader {
  pieces: readonly Piece[];
  at: number;
  /** How much of the piece at `at` is taken already. */
  offset: number;
}

/** The next `length` units of the text, as pieces. */
function take(reader: Reader, length: number): Piece[] {
  const taken: Piece[] = [];
  for (let left = length; left > 0; ) {
    const piece = reader.pieces[reader.at];
    if (!piece) break;
    const size = sizeOf(piece) - reader.offset;
    const step = Math.min(size, left);
    taken.push(partOf(piece, reader.offset, reader.offset + step));
    left -= step;
    reader.offset += step;
    if (step < size) break;
    reader.at++;
    reader.offset = 0;
  }
  return taken;
}

function sizeOf(piece: Piece): number {
  return "text" in piece ? piece.text.length : piece.end - piece.start;
}

function partOf(piece: Piece, from: number, to: number): Piece {
  if ("text" in piece) return { text: piece.text.slice(from, to) };
  return { start: piece.start + from, end: piece.start + to };
}

function splicesOf(sourceLength: number, pieces: readonly Piece[]): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  let text = "";
  for (const piece of [...pieces, { start: sourceLength, end: sourceLength }]) {
    if ("text" in piece) {
      text += piece.text;
      continue;
    }
    if (piece.start === piece.end && piece.start !== sourceLength) continue;
    if (text !== "" || piece.start > at) splices.push({ start: at, end: piece.start, text });
    text = "";
    at = piece.end;
  }
  return splices;
}
