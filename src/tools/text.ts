/** Small wordings that several tools share: numbers, sizes, names and cuts. */

/** `111234` → `111,234`. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** `3 files`, `1 file`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** A size in bytes as a person writes it: `214 KB`, `3.2 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  const big = bytes < 1024 ** 3 ? [bytes / 1024 ** 2, "MB"] : [bytes / 1024 ** 3, "GB"];
  return `${Number(big[0]).toFixed(1)} ${big[1]}`;
}

/** A name on one line: line breaks and other control characters are written out. */
export function onOneLine(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f]/g, (char) => JSON.stringify(char).slice(1, -1));
}

/** The first `length` UTF-16 units, never with half a pair at the end. */
export function headOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
