/** Finds the matches of a regular expression in a text, line by line or across lines. */

import { aroundMatch, type Hit } from "./query";

/** All hits: one a matching line, or one a match where they may span lines. With mode `files` one is enough. */
export function findHits(text: string, regex: RegExp, options: { multiline: boolean; mode: string }): Hit[] {
  const most = options.mode === "files" ? 1 : Infinity;
  regex.lastIndex = 0;
  // Over the whole text the expression finds at least what it finds in single lines.
  if (!regex.test(text)) return [];
  return options.multiline ? acrossLines(text, regex, most) : lineByLine(text, regex, most);
}

function lineByLine(text: string, regex: RegExp, most: number): Hit[] {
  const hits: Hit[] = [];
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    regex.lastIndex = 0;
    const found = regex.exec(line);
    if (!found) continue;
    hits.push({ line: number, lines: [aroundMatch(line, found.index)] });
    if (hits.length >= most) break;
  }
  return hits;
}

function acrossLines(text: string, regex: RegExp, most: number): Hit[] {
  const hits: Hit[] = [];
  const counter = new LineCounter(text);
  regex.lastIndex = 0;
  for (let found = regex.exec(text); found && hits.length < most; found = regex.exec(text)) {
    // One character on: in the middle of a pair the expression would go back to its start.
    if (found[0] === "") regex.lastIndex += (text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1;
    // Behind the last line end there is no line.
    if (found.index === text.length && (text === "" || text.endsWith("\n"))) break;
    hits.push(counter.hitAt(found.index, found[0].length));
  }
  return hits;
}

/** Lines as a person counts them: nothing follows the last line end. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    yield withoutReturn(text.slice(at, stop));
    at = stop + 1;
  }
}

/** Turns ascending positions into lines without counting from the start each time. */
class LineCounter {
  private line = 1;
  private start = 0;

  constructor(private readonly text: string) {}

  hitAt(index: number, length: number): Hit {
    for (let end = this.text.indexOf("\n", this.start); end >= 0 && end < index; ) {
      this.line += 1;
      this.start = end + 1;
      end = this.text.indexOf("\n", this.start);
    }
    const lastAt = Math.max(index, index + length - 1);
    const end = this.text.indexOf("\n", lastAt);
    const block = this.text.slice(this.start, end < 0 ? this.text.length : end);
    const [first = "", ...rest] = block.split("\n").map(withoutReturn);
    const lines = [aroundMatch(first, index - this.start), ...rest.map((line) => aroundMatch(line, 0))];
    return { line: this.line, lines };
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
