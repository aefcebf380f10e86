/** The colour and weight of text as a value: read from SGR parameters, written back as one plain sequence. */

/** Colours are SGR parameter strings without the 30/40 base decided: `31`, `38;5;208`, `38;2;1;2;3`. */
export interface Style {
  fg: string;
  bg: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strike: boolean;
}

export const plainStyle: Style = {
  fg: "",
  bg: "",
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
};

export const RESET = "\u001b[0m";

/** The style after an SGR sequence. Blinking, concealing, fonts and frames are not for foreign text and change nothing. */
export function applySgr(style: Style, params: string): Style {
  const next = { ...style };
  const fields = params === "" ? ["0"] : params.split(";");
  for (let i = 0; i < fields.length; i++) i += applyField(next, fields, i);
  return next;
}

/** Parameters that switch one thing on or off. 5, 6 (blinking), 8 (conceal) and the fonts are missing on purpose. */
const switches: Record<string, Partial<Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { fg: "" },
  49: { bg: "" },
};

/** Applies one field; the number of further fields that it used up. */
function applyField(style: Style, fields: string[], at: number): number {
  const field = fields[at] || "0";
  const code = Number(field.split(":")[0]);
  if (code === 0) Object.assign(style, plainStyle);
  if (field.startsWith("4:")) style.underline = field !== "4:0";
  else if (switches[code]) Object.assign(style, switches[code]);
  else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style.fg = String(code);
  else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) style.bg = String(code);
  else if (code === 38 || code === 48) return applyExtended(style, code, fields, at);
  return 0;
}

/** `38;5;n`, `38;2;r;g;b`, and both with colons. Anything malformed changes nothing. */
function applyExtended(style: Style, code: 38 | 48, fields: string[], at: number): number {
  const field = fields[at] ?? "";
  const isColon = field.includes(":");
  const parts = isColon ? field.split(":").slice(1) : fields.slice(at + 1, at + 5);
  const length = parts[0] === "5" ? 2 : parts[0] === "2" ? 4 : 0;
  // The colon form of a true colour may name a colour space before its three numbers.
  const numbers = isColon && length === 4 ? ["2", ...parts.slice(-3)] : parts.slice(0, length);
  if (length > 0 && numbers.length === length && numbers.every(isByte)) {
    style[code === 38 ? "fg" : "bg"] = [code, ...numbers].join(";");
  }
  return isColon ? 0 : length;
}

function isByte(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255;
}

/**
 * The sequence that switches a style on from the plain state; empty for the plain one. Foreground colours that vanish
 * on one kind of background (white, bright black, or the background itself) are brought to the default or to dim.
 */
export function openStyle(style: Style): string {
  const readable = readableStyle(style);
  const codes: string[] = [];
  if (readable.bold) codes.push("1");
  if (readable.dim) codes.push("2");
  if (readable.italic) codes.push("3");
  if (readable.underline) codes.push("4");
  if (readable.inverse) codes.push("7");
  if (readable.strike) codes.push("9");
  if (readable.fg) codes.push(readable.fg);
  if (readable.bg) codes.push(readable.bg);
  return codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
}

/** Text on a background of its own colour, white and grey are the ways to hide text in plain colours. */
function readableStyle(style: Style): Style {
  if (style.bg !== "" && paletteOf(style.bg) === paletteOf(style.fg)) return { ...style, bg: "" };
  if (style.bg !== "" || style.fg === "") return style;
  const index = paletteOf(style.fg);
  if (index === "7" || index === "15") return { ...style, fg: "" };
  return index === "8" ? { ...style, fg: "", dim: true } : style;
}

/** One name for a colour however it is written: the palette index, or the numbers of a true colour. */
function paletteOf(color: string): string {
  const code = Number(color);
  if (code >= 100) return String(code - 92);
  if (code >= 90) return String(code - 82);
  if (code >= 30) return String(code % 10);
  return color.replace(/^[34]8;(5;)?/, "");
}
