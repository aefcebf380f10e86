/** Bytes to text and back, so that what was not edited comes back as the same bytes (docs/tools.md, Encoding). */

import { isAscii, isUtf8 } from "node:buffer";
import { ZqError } from "./errors";

/** How a file's text is stored. The last four are legacy encodings that decoded and encoded back to the same bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "big5" | "shift_jis" | "euc-kr" | "latin1";

export interface DecodedText {
  /** The text without its byte order mark. */
  text: string;
  encoding: Encoding;
  /** Length of the byte order mark, in bytes. */
  bomBytes: number;
  /** False: no encoding gives these bytes back; `text` is Latin-1, or UTF-8 with signs for what is broken, for reading only. */
  isWritable: boolean;
  /** Legacy encodings that fit the bytes equally well: only ASCII may be written. Empty where there is no doubt. */
  candidates: Encoding[];
}

const LEGACY = ["gb18030", "big5", "shift_jis", "euc-kr"] as const;
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;
const BINARY_PROBE_BYTES = 8192;
const UTF16: [Encoding, number, number][] = [
  ["utf-16le", 0xff, 0xfe],
  ["utf-16be", 0xfe, 0xff],
];

/** True when the bytes are no text: a NUL among the first 8 KB. UTF-16 with its mark is text. */
export function isBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

/**
 * Decodes a file. `preferred` is the encoding that the person named for files that are not UTF-8; it is taken where it
 * gives the same bytes back. Never throws: what fits nothing comes as it can be read, with `isWritable: false`.
 */
export async function decodeText(bytes: Buffer, preferred?: string): Promise<DecodedText> {
  // The commonest case, and the quickest by far in a big file.
  if (isAscii(bytes)) return decoded(bytes.toString("latin1"), "utf-8");
  const utf16 = utf16Of(bytes);
  if (utf16 && bytes.length % 2 === 0) return decoded(decodeUtf16(bytes.subarray(2), utf16), utf16, 2);
  if (isUtf8(bytes)) {
    const bomBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    return decoded(bytes.toString("utf8", bomBytes), "utf-8", bomBytes);
  }
  return decodeLegacy(bytes, preferred);
}

/** Encodes text for a file. Throws `ZqError` (`NotEncodable`) where the encoding lacks a character. */
export async function encodeText(text: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (encoding === "utf-8") {
    if (LONE_SURROGATE.test(text)) throw new ZqError("NotEncodable", "The text holds half of a surrogate pair.");
    return Buffer.from(text, "utf8");
  }
  if (encoding === "latin1") throw new ZqError("NotEncodable", "The file is in no encoding that can be written back.");
  return encodeLegacy(text, encoding);
}

/** Bytes that `text`, a part of a decoded file, takes in that file. */
export async function encodedLength(text: string, encoding: Encoding): Promise<number> {
  if (encoding === "utf-8") return Buffer.byteLength(text, "utf8");
  if (encoding === "latin1") return text.length;
  if (encoding.startsWith("utf-16")) return text.length * 2;
  return (await loadIconv()).encode(text, encoding).length;
}

function decoded(text: string, encoding: Encoding, bomBytes = 0): DecodedText {
  return { text, encoding, bomBytes, isWritable: encoding !== "latin1", candidates: [] };
}

function utf16Of(bytes: Uint8Array): Encoding | undefined {
  return UTF16.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0];
}

function decodeUtf16(bytes: Buffer, encoding: Encoding): string {
  return encoding === "utf-16le" ? bytes.toString("utf16le") : Buffer.from(bytes).swap16().toString("utf16le");
}

async function decodeLegacy(bytes: Buffer, preferred: string | undefined): Promise<DecodedText> {
  const damaged = preferred === undefined ? damagedUtf8(bytes) : undefined;
  if (damaged !== undefined) return { ...decoded(damaged, "utf-8"), isWritable: false };
  const iconv = await loadIconv();
  const fits = new Map<Encoding, string>();
  for (const encoding of await legacyOrder(bytes)) {
    const text = iconv.decode(bytes, encoding);
    if (!text.includes("\uFFFD") && iconv.encode(text, encoding).equals(bytes)) fits.set(encoding, text);
  }
  const named = [...fits].find(([encoding]) => encoding === preferred?.toLowerCase().replace("sjis", "shift_jis"));
  const [encoding, text] = named ?? [...fits][0] ?? ["latin1" as const, bytes.toString("latin1")];
  const isCertain = named !== undefined || fits.size < 2;
  return { ...decoded(text, encoding), candidates: isCertain ? [] : [...fits.keys()] };
}

/**
 * UTF-8 with a few broken bytes often fits a legacy encoding too, as other characters: new text would be written in
 * that one, among UTF-8. Told by its whole characters, of which a legacy text has few by chance.
 */
function damagedUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  const all = text.match(/[^\u0000-\u007f]/gu)?.length ?? 0;
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  return all - broken >= 4 && broken * 10 <= all ? text : undefined;
}

/** Statistics say something only on more than a few words. */
async function legacyOrder(bytes: Buffer): Promise<Encoding[]> {
  if (bytes.length <= 200) return [...LEGACY];
  const chardet = await import("chardet");
  const guesses = (chardet.default ?? chardet)
    .analyse(bytes.subarray(0, 64 * 1024))
    .map((guess) => guess.name.toLowerCase().replace("_", "-"));
  const rank = (encoding: string) => guesses.indexOf(encoding.replace("_", "-")) >>> 0;
  return [...LEGACY].sort((a, b) => rank(a) - rank(b));
}

async function encodeLegacy(text: string, encoding: Encoding): Promise<Buffer> {
  const iconv = await loadIconv();
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding) === text) return bytes;
  throw new ZqError("NotEncodable", `The text has characters that ${encoding} cannot hold.`);
}

async function loadIconv(): Promise<typeof import("iconv-lite")> {
  const module = await import("iconv-lite");
  // In a bundle a CommonJS package may come as its default export alone.
  return module.default ?? module;
}
