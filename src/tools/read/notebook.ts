/** A Jupyter notebook as text: cells with their sources, outputs cut short, pictures named only. */

import { grouped, headOf } from "../text";

/** About 2 KB, and with the note of the cut still less than the longest line of a page. */
const MAX_OUTPUT_CHARS = 1960;

interface Cell {
  cell_type?: unknown;
  source?: unknown;
  outputs?: unknown;
}

/** The notebook's text, or undefined when the JSON is none. */
export function notebookText(json: string): string | undefined {
  const cells = cellsOf(json);
  if (!cells) return undefined;
  return `${cells.map((cell, at) => cellText(cell, at + 1)).join("\n\n")}\n`;
}

function cellsOf(json: string): Cell[] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    const cells = isRecord(parsed) ? parsed.cells : undefined;
    return Array.isArray(cells) ? cells.filter(isRecord) : undefined;
  } catch {
    return undefined;
  }
}

function cellText(cell: Cell, number: number): string {
  const head = `[cell ${number}: ${typeof cell.cell_type === "string" ? cell.cell_type : "unknown"}]`;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isRecord).map(outputText).filter(Boolean) : [];
  return [head, joined(cell.source), ...outputs.map((output) => `[output]\n${output}`)].filter(Boolean).join("\n");
}

function outputText(output: Record<string, unknown>): string {
  if (output.output_type === "error") return cut(`${joined(output.ename)}: ${joined(output.evalue)}`);
  if (output.text !== undefined) return cut(joined(output.text));
  const data = isRecord(output.data) ? output.data : {};
  const pictures = Object.keys(data).filter((type) => type.startsWith("image/"));
  const text = cut(joined(data["text/plain"]));
  return [text, ...pictures.map((type) => `[${type} left out]`)].filter(Boolean).join("\n");
}

function cut(text: string): string {
  const trimmed = text.replace(/\n+$/, "");
  if (trimmed.length <= MAX_OUTPUT_CHARS) return trimmed;
  return `${headOf(trimmed, MAX_OUTPUT_CHARS)}…[+${grouped(trimmed.length - MAX_OUTPUT_CHARS)} characters]`;
}

/** Notebooks keep text as one string or as a list of lines. */
function joined(value: unknown): string {
  if (Array.isArray(value)) return value.map(joined).join("");
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
