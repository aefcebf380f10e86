/** The bytes of an answer as text for the model: pages as Markdown, JSON indented, other text as it is. */

import { decodeText } from "../../shared/encoding";
import { ZqError } from "../../shared/errors";
import { mimeTypeOf } from "../read/fileKind";
import { sizeOf } from "../text";
import type { Fetched } from "./guardedFetch";
import type { ConvertedPage } from "./htmlToMarkdown";

export type PageForm = "markdown" | "text" | "raw";

/** Converts an answer. Throws `ZqError` (`NotText`) with its type and size where it is no text. */
export async function pageText(fetched: Fetched, form: PageForm): Promise<ConvertedPage> {
  const kind = kindOf(fetched);
  const text = withoutControls(await decoded(fetched, kind));
  if (form === "raw") return { text, notes: [] };
  if (kind === "json" && !fetched.cut) return plain((await import("./reindent")).reindentJson(text));
  if (kind !== "html") return plain(text);
  return (await import("./htmlToMarkdown")).htmlToMarkdown(text, fetched.url, form);
}

function plain(text: string): ConvertedPage {
  return { text, notes: [] };
}

type Kind = "html" | "json" | "text";

function kindOf(fetched: Fetched): Kind {
  const type = typeOf(fetched);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^(application|text)\/([\w.-]+\+)?json$/.test(type)) return "json";
  if (type.startsWith("text/") || TEXT_TYPES.test(type)) return "text";
  if (!SILENT_TYPES.has(type)) throw notText(fetched, type);
  return sniffed(fetched);
}

const TEXT_TYPES =
  /^(application\/(([\w.-]+\+)?xml|(x-)?(javascript|ecmascript|typescript|sh|yaml|ndjson|toml|sql|tex)|graphql|jsonlines|rtf)|image\/svg\+xml|message\/.*)$/;

/** Types that say nothing. */
const SILENT_TYPES = new Set(["", "application/octet-stream", "binary/octet-stream", "application/x-unknown"]);

function typeOf({ headers }: Fetched): string {
  return String(headers["content-type"] ?? "")
    .split(";", 1)
    .join("")
    .trim()
    .toLowerCase();
}

function sniffed(fetched: Fetched): Kind {
  const head = fetched.bytes.subarray(0, 8192);
  if (head.includes(0) || mimeTypeOf(head) !== "application/octet-stream") throw notText(fetched, mimeTypeOf(head));
  return /^\s*(<!doctype html|<html[\s>])/i.test(head.toString("latin1", 0, 512)) ? "html" : "text";
}

function notText({ url, bytes, cut, headers }: Fetched, type: string): ZqError {
  const stated = Number(headers["content-length"]);
  const size = cut ? (stated > bytes.length ? sizeOf(stated) : `over ${sizeOf(bytes.length)}`) : sizeOf(bytes.length);
  const next = /^(image|audio|video)\//.test(type)
    ? "media can look at it."
    : "If it is needed, save it with run_shell and look at the file.";
  return new ZqError("NotText", `${url.href} is no text (${type}, ${size}). ${next}`);
}

/** The mark at the beginning counts most, then the header, then what the page says of itself; else UTF-8. */
async function decoded({ bytes, headers, cut }: Fetched, kind: Kind): Promise<string> {
  const stated = /charset\s*=\s*["']?([\w:.-]+)/i.exec(String(headers["content-type"] ?? ""))?.[1];
  const label = markOf(bytes) ?? stated ?? (kind === "html" ? metaCharset(bytes) : undefined);
  if (label === undefined && !cut) return (await decodeText(bytes)).text;
  return decoderFor(label ?? "utf-8").decode(bytes);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
}

function metaCharset(bytes: Buffer): string | undefined {
  return /<meta\b[^>]{0,300}?charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString("latin1", 0, 4096))?.[1];
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** A model needs no escape sequences, and a terminal must not get them. */
function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
}
