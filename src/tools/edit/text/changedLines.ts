/** Which lines differ between two texts: the shortest difference, or in very different ones one close to it, in bounded time. */

/** For each line of either side 1 where the other side has no partner for it. */
export interface ChangedLines {
  old: Uint8Array;
  fresh: Uint8Array;
}

/**
 * Steps of search for one middle of two texts. Beyond it the furthest place reached serves, so that the work grows with
 * the lines and not with the square of what changed; as it counts steps and no time, equal texts give equal answers.
 */
const MAX_STEPS = 512;

/** Pairs equal lines in order. What is left over on either side is changed; both sides have equally many kept lines. */
export function markChangedLines(old: readonly string[], fresh: readonly string[]): ChangedLines {
  const changed = { old: new Uint8Array(old.length), fresh: new Uint8Array(fresh.length) };
  const numbers = new Map<string, number>();
  for (const text of old) if (!numbers.has(text)) numbers.set(text, numbers.size);
  const b = sharedLines(fresh, numbers, changed.fresh);
  const known = new Set(b.ids);
  for (const [text, id] of numbers) if (!known.has(id)) numbers.delete(text);
  const a = sharedLines(old, numbers, changed.old);
  new Comparison(a, b).compare({ x: 0, y: 0, endX: a.ids.length, endY: b.ids.length });
  return changed;
}

/** The lines of one side that stand on the other too, as numbers, with their places. */
interface Side {
  ids: Int32Array;
  places: Int32Array;
  changed: Uint8Array;
}

function sharedLines(lines: readonly string[], numbers: ReadonlyMap<string, number>, changed: Uint8Array): Side {
  const ids = new Int32Array(lines.length);
  const places = new Int32Array(lines.length);
  let count = 0;
  for (const [at, text] of lines.entries()) {
    const id = numbers.get(text);
    if (id === undefined) changed[at] = 1;
    else {
      ids[count] = id;
      places[count++] = at;
    }
  }
  return { ids: ids.subarray(0, count), places: places.subarray(0, count), changed };
}

/** A part of both sides: `[x, endX)` of the old, `[y, endY)` of the new. */
interface Box {
  x: number;
  y: number;
  endX: number;
  endY: number;
}

type Point = Pick<Box, "x" | "y">;

/** Furthest places by diagonal (x − y), from one corner of a box. */
interface Front {
  reach: Int32Array;
  low: number;
  high: number;
}

/** Myers' search from both corners to a middle, in linear space. */
class Comparison {
  private readonly shift: number;
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;

  constructor(
    private readonly a: Side,
    private readonly b: Side,
  ) {
    this.shift = b.ids.length + 1;
    this.forward = new Int32Array(a.ids.length + b.ids.length + 3);
    this.backward = new Int32Array(a.ids.length + b.ids.length + 3);
  }

  /** The smaller half by a call, the larger one by going on: so the calls never nest deeply. */
  compare(whole: Box): void {
    let box = this.trimmed(whole);
    while (box.x < box.endX && box.y < box.endY) {
      const { x, y } = this.middle(box);
      const halves = [this.trimmed({ ...box, endX: x, endY: y }), this.trimmed({ ...box, x, y })] as const;
      const [small, large] = sizeOf(halves[0]) < sizeOf(halves[1]) ? halves : [halves[1], halves[0]];
      this.compare(small);
      box = large;
    }
    this.mark(box);
  }

  private mark({ x, y, endX, endY }: Box): void {
    for (const place of this.a.places.subarray(x, endX)) this.a.changed[place] = 1;
    for (const place of this.b.places.subarray(y, endY)) this.b.changed[place] = 1;
  }

  private trimmed(box: Box): Box {
    let { x, y, endX, endY } = box;
    const [a, b] = [this.a.ids, this.b.ids];
    while (x < endX && y < endY && a[x] === b[y]) [x, y] = [x + 1, y + 1];
    while (x < endX && y < endY && a[endX - 1] === b[endY - 1]) [endX, endY] = [endX - 1, endY - 1];
    return { x, y, endX, endY };
  }

  /** A point on a shortest way through a box whose ends differ. */
  private middle(box: Box): Point {
    const ahead = front(this.forward, box.x - box.y);
    const back = front(this.backward, box.endX - box.endY);
    this.forward[ahead.low + this.shift] = box.x;
    this.backward[back.low + this.shift] = box.endX;
    const isOdd = (ahead.low - back.low) % 2 !== 0;
    for (let step = 1; ; step++) {
      const met = this.advance(box, ahead, isOdd ? back : null) ?? this.retreat(box, back, isOdd ? null : ahead);
      if (met) return met;
      if (step >= MAX_STEPS) return this.furthest(box, ahead, back);
    }
  }

  private advance(box: Box, own: Front, other: Front | null): Point | undefined {
    const { reach } = own;
    const [a, b] = [this.a.ids, this.b.ids];
    this.widen(box, own, -1);
    for (let diagonal = own.high; diagonal >= own.low; diagonal -= 2) {
      const at = diagonal + this.shift;
      let x = Math.max(reach[at + 1] ?? 0, (reach[at - 1] ?? 0) + 1);
      while (x < box.endX && x - diagonal < box.endY && a[x] === b[x - diagonal]) x++;
      reach[at] = x;
      const isMet = other && diagonal >= other.low && diagonal <= other.high && (other.reach[at] ?? 0) <= x;
      if (isMet) return { x, y: x - diagonal };
    }
    return undefined;
  }

  private retreat(box: Box, own: Front, other: Front | null): Point | undefined {
    const { reach } = own;
    const [a, b] = [this.a.ids, this.b.ids];
    this.widen(box, own, FAR);
    for (let diagonal = own.high; diagonal >= own.low; diagonal -= 2) {
      const at = diagonal + this.shift;
      let x = Math.min(reach[at - 1] ?? 0, (reach[at + 1] ?? 0) - 1);
      while (x > box.x && x - diagonal > box.y && a[x - 1] === b[x - diagonal - 1]) x--;
      reach[at] = x;
      const isMet = other && diagonal >= other.low && diagonal <= other.high && (other.reach[at] ?? 0) >= x;
      if (isMet) return { x, y: x - diagonal };
    }
    return undefined;
  }

  /** One more diagonal on either side, as long as the box has one. */
  private widen({ x, y, endX, endY }: Box, own: Front, unreached: number): void {
    if (own.low > x - endY) own.reach[--own.low - 1 + this.shift] = unreached;
    else own.low++;
    if (own.high < endX - y) own.reach[++own.high + 1 + this.shift] = unreached;
    else own.high--;
  }

  /** Where the two searches have come furthest: the better of them. */
  private furthest(box: Box, ahead: Front, back: Front): Point {
    let [forth, left] = [
      { x: box.x, y: box.y },
      { x: box.endX, y: box.endY },
    ];
    for (let diagonal = ahead.low; diagonal <= ahead.high; diagonal += 2) {
      const x = Math.min(ahead.reach[diagonal + this.shift] ?? 0, box.endX, box.endY + diagonal);
      if (2 * x - diagonal > forth.x + forth.y) forth = { x, y: x - diagonal };
    }
    for (let diagonal = back.low; diagonal <= back.high; diagonal += 2) {
      const x = Math.max(back.reach[diagonal + this.shift] ?? 0, box.x, box.y + diagonal);
      if (2 * x - diagonal < left.x + left.y) left = { x, y: x - diagonal };
    }
    const isAhead = forth.x + forth.y - box.x - box.y > box.endX + box.endY - left.x - left.y;
    return isAhead ? forth : left;
  }
}

/** Farther than any line. */
const FAR = 0x3fffffff;

function front(reach: Int32Array, diagonal: number): Front {
  return { reach, low: diagonal, high: diagonal };
}

function sizeOf({ x, y, endX, endY }: Box): number {
  return endX - x + endY - y;
}
