/** A unified diff as rows for a card or an approval: line numbers, a sign, colour on top of the sign, nothing hidden. */

import { createPaint, type Paint, type Role } from "./color";
import { visibleText } from "./sanitize";
import { cutLine, wrapText } from "./width";

/** One line of a diff. Numbers are null where the line does not exist on that side. */
export interface DiffLine {
  kind: "context" | "added" | "removed" | "file" | "hunk" | "note";
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

export interface DiffLook {
  /** Columns of the longest row (default 80). */
  width?: number;
  paint?: Paint;
  /** Wrap long lines instead of cutting them: where everything must be shown. */
  wrap?: boolean;
  /** Leave the file names out where the card names the file already. */
  hideFiles?: boolean;
}

/** The lines of a unified diff; text that is no diff comes back as notes. */
export function parseDiff(diff: string): DiffLine[] {
  const reader = new DiffReader();
  const source = diff.endsWith("\n") ? diff.slice(0, -1) : diff;
  for (const line of source === "" ? [] : source.split("\n")) reader.take(line);
  return reader.lines;
}

/** How many lines a diff adds and removes. */
export function countDiff(diff: string): { added: number; removed: number } {
  const lines = parseDiff(diff);
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

/** The rows of a diff, each at most `width` columns wide. */
export function renderDiff(diff: string, look: DiffLook = {}): string[] {
  const lines = parseDiff(diff).filter((line) => !(look.hideFiles && line.kind === "file"));
  const digits = Math.max(3, ...lines.map((line) => String(line.newLine ?? line.oldLine ?? 0).length));
  const everyLineHasReturn = lines.filter(isContent).every((line) => line.text.endsWith("\r"));
  const first = lines.findIndex((line) => line.kind === "hunk");
  return lines.flatMap((line, i) => {
    // The numbers say where a hunk begins; a mark is only needed between two.
    if (line.kind === "hunk")
      return i === first || lines[i - 1]?.kind === "file"
        ? []
        : [(look.paint ?? plainPaint)("dim", `${" ".repeat(digits)} ⋮`)];
    return renderLine({ ...line, text: shownText(line.text, everyLineHasReturn) }, digits, look);
  });
}

const plainPaint = createPaint(false);

function isContent(line: DiffLine): boolean {
  return line.kind === "context" || line.kind === "added" || line.kind === "removed";
}

/** A file of CR LF lines is shown as usual; a lone carriage return is shown for what it is. */
function shownText(text: string, everyLineHasReturn: boolean): string {
  return visibleText(everyLineHasReturn ? text.replace(/\r$/, "") : text);
}

/** What stands between number and text: enough to read the diff without any colour. */
const signs = { context: " ", added: "+", removed: "-", file: " ", hunk: " ", note: " " } as const;
const colors: Partial<Record<DiffLine["kind"], Role>> = {
  added: "added",
  removed: "removed",
  file: "strong",
  note: "dim",
};

function renderLine(line: DiffLine, digits: number, look: DiffLook): string[] {
  const paint = look.paint ?? plainPaint;
  const width = Math.max(16, look.width ?? 80);
  const role = colors[line.kind];
  const color = (text: string) => (role ? paint(role, text) : text);
  if (!isContent(line)) return [color(cutLine(line.text, width))];
  const number = String(line.newLine ?? line.oldLine ?? "").padStart(digits);
  const room = width - digits - 3;
  const rows = look.wrap
    ? wrapText(line.text, room, { maxChars: Number.POSITIVE_INFINITY })
    : [cutLine(line.text, room)];
  return rows.map((row, i) => {
    const head = i === 0 ? `${paint("dim", number)} ${color(signs[line.kind])} ` : " ".repeat(digits + 3);
    return (head + color(row)).trimEnd();
  });
}

/** Reads line by line; a hunk's own counts say where it ends, so that a removed `-- x` is no file name. */
class DiffReader {
  readonly lines: DiffLine[] = [];
  private oldLine = 0;
  private newLine = 0;
  private oldLeft = 0;
  private newLeft = 0;

  take(line: string): void {
    if (this.oldLeft > 0 || this.newLeft > 0) {
      if (this.takeContent(line)) return;
      this.oldLeft = this.newLeft = 0;
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) this.openHunk(line, hunk);
    else if (line.startsWith("\\ ")) this.add("note", line.slice(2));
    else this.takeHeader(line);
  }

  private openHunk(line: string, [, oldStart, oldCount = "1", newStart, newCount = "1"]: RegExpExecArray): void {
    this.oldLine = Number(oldStart);
    this.newLine = Number(newStart);
    this.oldLeft = Number(oldCount);
    this.newLeft = Number(newCount);
    this.add("hunk", line);
  }

  /** False for a line that no hunk can hold: then the counts were wrong and the hunk is over. */
  private takeContent(line: string): boolean {
    const sign = line[0] ?? " ";
    const text = line.slice(1);
    if (sign === "+") this.lines.push({ kind: "added", oldLine: null, newLine: this.newLine++, text });
    else if (sign === "-") this.lines.push({ kind: "removed", oldLine: this.oldLine++, newLine: null, text });
    else if (sign === " ") this.lines.push({ kind: "context", oldLine: this.oldLine++, newLine: this.newLine++, text });
    else if (line.startsWith("\\ ")) this.add("note", line.slice(2));
    else return false;
    if (sign === "-" || sign === " ") this.oldLeft--;
    if (sign === "+" || sign === " ") this.newLeft--;
    return true;
  }

  /** Names once: the new one, the old one of a file that goes. Lines of `diff --git` and the like say nothing more. */
  private takeHeader(line: string): void {
    const name = /^(?:---|\+\+\+) ("?)(?:[ab]\/)?([^\t]*?)\1(?:\t.*)?$/.exec(line)?.[2];
    if (name !== undefined) this.nameFile(line, name);
    else if (/^(?:rename|copy|new file|deleted file|Binary|old mode|new mode)/.test(line)) this.add("note", line);
    else if (!/^(?:diff |index |Index: |=+$|similarity )/.test(line) && line !== "") this.add("note", line);
  }

  private nameFile(line: string, name: string): void {
    const last = this.lines.at(-1);
    if (line.startsWith("---")) {
      if (name !== "/dev/null") this.add("file", name);
    } else if (name !== "/dev/null" && !(last?.kind === "file" && last.text === name)) {
      if (last?.kind === "file") this.lines[this.lines.length - 1] = { ...last, text: `${last.text} → ${name}` };
      else this.add("file", name);
    }
  }

  private add(kind: DiffLine["kind"], text: string): void {
    this.lines.push({ kind, oldLine: null, newLine: null, text });
  }
}
