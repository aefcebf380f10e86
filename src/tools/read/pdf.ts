/** The text of a PDF, page by page; the library is loaded at the first one. */

import { messageOf, ZqError } from "../../shared/errors";
import { counted, grouped } from "../text";

export interface PdfText {
  /** Each page under a line `[page N]`. */
  text: string;
  pages: number;
}

/** Larger files are not read into memory for their text (bytes), and no more text than this is kept (characters). */
export const MAX_PDF_BYTES = 100 * 1024 * 1024;
const MAX_CHARS = 20 * 1024 * 1024;
/** The library's own word for: errors only. It writes its warnings to the console, where the screen is. */
const SILENT = 0;

export interface PdfFile {
  /** Name for messages. */
  shown: string;
  /** Changes with the file: path, time and size. */
  key: string;
  bytes: Buffer;
  signal?: AbortSignal | undefined;
}

/** Extracts the text of a file. */
export type ReadPdf = (file: PdfFile) => Promise<PdfText>;

/** A reader that remembers the last text, for a long document is paged through. */
export function createPdfReader(): ReadPdf {
  let last: { key: string; text: PdfText } | undefined;
  return async (file) => {
    if (last?.key !== file.key) last = { key: file.key, text: await pdfText(file) };
    return last.text;
  };
}

/**
 * Throws `ZqError` (`PdfUnreadable`) where it cannot be opened or holds pictures only, with what to try instead; and
 * the signal's reason.
 */
async function pdfText({ bytes, shown, signal }: PdfFile): Promise<PdfText> {
  // A copy of its own: the library may take the memory over, and small buffers share theirs.
  const document = await openPdf(new Uint8Array(bytes), shown);
  try {
    return await readPages(document, shown, signal);
  } finally {
    await document.destroy().catch(() => undefined);
  }
}

type PdfDocument = Awaited<ReturnType<typeof import("unpdf")["getDocumentProxy"]>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

async function openPdf(bytes: Uint8Array, shown: string): Promise<PdfDocument> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    return await getDocumentProxy(bytes, { verbosity: SILENT, isEvalSupported: false, stopAtErrors: false });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    const reason = isLocked ? "it is locked with a password" : messageOf(error).replace(/\.$/, "");
    throw unreadable(`${shown} is a PDF that cannot be read (${reason}).`, error);
  }
}

async function readPages(document: PdfDocument, shown: string, signal: AbortSignal | undefined): Promise<PdfText> {
  const pages = document.numPages;
  const parts: string[] = [];
  let length = 0;
  let hasText = false;
  for (let number = 1; number <= pages && length < MAX_CHARS; number += 1) {
    signal?.throwIfAborted();
    const text = await pageOf(document, number);
    hasText ||= text.trim() !== "";
    parts.push(`[page ${grouped(number)}]\n${text}`);
    length += text.length;
  }
  if (!hasText) throw unreadable(`${shown} is a PDF of ${counted(pages, "page")} without text, perhaps scanned.`);
  const rest = parts.length < pages ? `\n[the text of ${counted(pages - parts.length, "more page")} is left out]` : "";
  return { text: `${parts.join("\n\n")}${rest}\n`, pages };
}

/** One broken page must not take the others with it. */
async function pageOf(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const text = await linesOf(page);
    page.cleanup();
    return text;
  } catch (error) {
    return `[this page cannot be read: ${messageOf(error)}]`;
  }
}

async function linesOf(page: PdfPage): Promise<string> {
  const { items } = await page.getTextContent();
  const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function unreadable(what: string, cause?: unknown): ZqError {
  const next =
    "Use mcp__ocr__recognize if it is among your tools, or media on pictures of its pages " +
    "(run_shell can make them if a program such as pdftoppm is there).";
  return new ZqError("PdfUnreadable", `${what} ${next}`, { cause });
}
