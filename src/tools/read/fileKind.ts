/** What a file is, told by its first bytes and never by its name. */

/** A picture with its size in pixels. */
export interface PictureInfo {
  format: "png" | "jpeg" | "gif" | "webp";
  mimeType: string;
  width: number;
  height: number;
}

/** Signatures of common binary kinds: MIME type, bytes as Latin-1 text, where they stand. */
const SIGNATURES: [string, string, number?][] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
  ["image/bmp", "BM"],
  ["image/tiff", "II*\0"],
  ["image/tiff", "MM\0*"],
  ["image/x-icon", "\0\0\x01\0"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/zip", "PK\x05\x06"],
  ["application/gzip", "\x1f\x8b"],
  ["application/x-bzip2", "BZh"],
  ["application/x-xz", "\xfd7zXZ\0"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"],
  ["application/x-tar", "ustar", 257],
  ["application/x-executable", "\x7fELF"],
  ["application/x-mach-binary", "\xcf\xfa\xed\xfe"],
  ["application/x-mach-binary", "\xca\xfe\xba\xbe"],
  ["application/vnd.microsoft.portable-executable", "MZ"],
  ["application/wasm", "\0asm"],
  ["application/vnd.sqlite3", "SQLite format 3\0"],
  ["audio/mpeg", "ID3"],
  ["audio/mpeg", "\xff\xfb"],
  ["audio/mpeg", "\xff\xf3"],
  ["audio/mpeg", "\xff\xf2"],
  ["audio/wav", "WAVE", 8],
  ["audio/flac", "fLaC"],
  ["audio/ogg", "OggS"],
  ["audio/mp4", "ftypM4A", 4],
  ["video/quicktime", "ftypqt", 4],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1aE\xdf\xa3"],
  ["font/woff", "wOFF"],
  ["font/woff2", "wOF2"],
];

/** The MIME type of bytes that are known not to be text. */
export function mimeTypeOf(bytes: Buffer): string {
  const isMatch = ([, signature, at = 0]: (typeof SIGNATURES)[number]) =>
    bytes.toString("latin1", at, at + signature.length) === signature;
  return SIGNATURES.find(isMatch)?.[0] ?? "application/octet-stream";
}

/** The picture that the bytes are, if they are one whole enough to have a size. */
export function pictureOf(bytes: Buffer): PictureInfo | undefined {
  const mimeType = mimeTypeOf(bytes);
  const format = FORMATS.find((known) => mimeType === `image/${known}`);
  const size = format && SIZE_OF[format](bytes);
  return format && size && size.width > 0 ? { format, mimeType, ...size } : undefined;
}

const FORMATS = ["png", "jpeg", "gif", "webp"] as const;

interface Pixels {
  width: number;
  height: number;
}

const SIZE_OF: Record<PictureInfo["format"], (bytes: Buffer) => Pixels | undefined> = {
  png: (bytes) => {
    if (bytes.length < 24) return undefined;
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  },
  gif: (bytes) => {
    if (bytes.length < 10) return undefined;
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  },
  webp: webpSize,
  jpeg: jpegSize,
};

function webpSize(bytes: Buffer): Pixels | undefined {
  if (bytes.length < 30) return undefined;
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Walks the segments up to the one that starts a frame, which holds the size. */
function jpegSize(bytes: Buffer): Pixels | undefined {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
