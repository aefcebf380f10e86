/** Bytes of a searched file as text, by the rules of ripgrep: marks are heeded, what holds a NUL is binary. */

/** How much of a file is looked at for a NUL where matches may span lines, in bytes. */
const PROBE_BYTES = 64 * 1024;

/** The text, or undefined for a binary file. */
export function decodeSearched(bytes: Buffer, multiline: boolean): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if ((multiline ? bytes.subarray(0, PROBE_BYTES) : bytes).includes(0)) return undefined;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", isMarked ? 3 : 0);
}
