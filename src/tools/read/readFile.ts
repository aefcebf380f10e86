/** read_file: one page of a text file, a notebook or PDF as text, a picture as attachment; what cannot be shown is named. */

import { isUtf8 } from "node:buffer";
import description from "../../../prompts/tools/read_file.md";
import type { ToolContext, ToolResult } from "../../shared/contracts";
import { isBinary } from "../../shared/encoding";
import { ZqError } from "../../shared/errors";
import type { OpenFile } from "../../shared/files";
import type { WorkspaceRoots } from "../../shared/paths";
import type { ConflictGuard } from "../ConflictGuard";
import { openReadable, type ReadablePath, resolveReadable } from "../readable";
import type { ToolRegistry } from "../ToolRegistry";
import { counted, grouped, sizeOf } from "../text";
import { buildToolSchema } from "../toolSchema";
import { mimeTypeOf, type PictureInfo, pictureOf } from "./fileKind";
import { notebookText } from "./notebook";
import { MAX_LINES, type Page, readPage, type TextSource } from "./page";
import { createPdfReader, MAX_PDF_BYTES, type ReadPdf } from "./pdf";
import { type FileText, once, readBytes, textOfBytes, textOfRanges, WHOLE_FILE_BYTES } from "./textSource";

export interface ReadFileOptions {
  roots: WorkspaceRoots;
  /** Told of each file read, so that a later write can see whether it changed. */
  guard?: ConflictGuard;
  /** Whether the session's model takes pictures. Asked at each read; without it: no. */
  vision?(): boolean;
  /** The encoding of files that are not UTF-8, where the person named one (setting `files.encoding`). */
  encoding?: string;
}

interface Reading extends ReadFileOptions {
  readPdf: ReadPdf;
}

/** Registers read_file. */
export function registerReadFile(registry: ToolRegistry, options: ReadFileOptions): void {
  const reading: Reading = { ...options, readPdf: createPdfReader() };
  registry.register(
    (args, ctx) => readFile(args, ctx ?? {}, reading),
    { category: "file", riskLevel: "low", capabilities: ["read_file"], requiresApproval: false },
    SCHEMA,
  );
}

const HEAD_BYTES = 256 * 1024;
const MAX_PICTURE_BYTES = 4.5 * 1024 * 1024;
const MAX_PICTURE_SIDE = 2000;

async function readFile(
  args: Record<string, unknown>,
  ctx: ToolContext,
  options: Reading,
): Promise<string | ToolResult> {
  const place = await resolveReadable(options.roots, args.path);
  const file = await openReadable(options.roots, place);
  try {
    const head = await readBytes(file.handle, 0, Math.min(file.stamp.size, HEAD_BYTES));
    const picture = isPlainText(head) ? undefined : pictureOf(head);
    if (picture) return await pictureResult({ place, file, picture }, options);
    const wanted = { ...pageOf(args), ...(ctx.signal && { signal: ctx.signal }) };
    if (mimeTypeOf(head) === "application/pdf") return await pdfResult({ place, file, head }, wanted, options);
    refuseBinary(place, file, head);
    return await textResult({ place, file, head }, wanted, options);
  } finally {
    await file.handle.close();
  }
}

interface Opened {
  place: ReadablePath;
  file: OpenFile;
  head: Buffer;
}

interface Wanted {
  offset: number;
  limit: number;
  signal?: AbortSignal;
}

function pageOf(args: Record<string, unknown>): Wanted {
  const whole = (value: unknown, fallback: number) => (Number.isInteger(value) ? Number(value) : fallback);
  return { offset: whole(args.offset, 1), limit: Math.min(Math.max(whole(args.limit, MAX_LINES), 1), MAX_LINES) };
}

async function textResult(opened: Opened, wanted: Wanted, options: ReadFileOptions): Promise<string> {
  const { place, file, head } = opened;
  const { size } = file.stamp;
  if (size > WHOLE_FILE_BYTES) {
    const text = await textOfRanges({ handle: file.handle, size }, head, options.encoding);
    const page = await readPage(text.source, wanted, text.findLine);
    options.guard?.noteRead(place.realPath, { stamp: file.stamp });
    return render(page, wanted, { ...text, size });
  }
  const bytes = size <= head.length ? head : await readBytes(file.handle, 0, size);
  const text = await textOfBytes(bytes, options.encoding);
  const page = await readPage(sourceFor(place, text), wanted);
  options.guard?.noteRead(place.realPath, { stamp: file.stamp, bytes });
  return render(page, wanted, { ...text, size });
}

function sourceFor(place: ReadablePath, { text, source }: FileText & { text: string }): TextSource {
  const cells = /\.ipynb$/i.test(place.shown) ? notebookText(text) : undefined;
  return cells === undefined ? source : () => once(cells);
}

async function pdfResult({ place, file }: Opened, wanted: Wanted, { guard, readPdf }: Reading): Promise<string> {
  const { size } = file.stamp;
  if (size > MAX_PDF_BYTES) {
    throw new ZqError("PdfUnreadable", `${place.shown} is a PDF of ${sizeOf(size)}: at most 100 MB are read.`);
  }
  const bytes = await readBytes(file.handle, 0, size);
  guard?.noteRead(place.realPath, { stamp: file.stamp, bytes });
  const key = `${place.realPath} ${file.stamp.mtimeNs} ${size}`;
  const { text, pages } = await readPdf({ shown: place.shown, key, bytes, signal: wanted.signal });
  const page = await readPage(() => once(text), wanted);
  const asText: Shown = { encoding: "utf-8", candidates: [], isWritable: true, size };
  return `${render(page, wanted, asText)}\n[PDF, ${counted(pages, "page")}]`;
}

/** What the notes below a page are about. */
type Shown = Omit<FileText, "source"> & { size: number };

function render(page: Page, { offset }: Wanted, file: Shown): string {
  if (page.total === 0) return "[empty file]";
  if (page.lines.length === 0 && !page.isCutByBytes) {
    throw new ZqError("PastTheEnd", `offset ${offset} is past the end (${grouped(page.total ?? 0)} lines)`);
  }
  const notes = [hugeLineNote(page), restNote(page, file.size), encodingNote(file)];
  if (page.lacksFinalNewline) notes.push("[no newline at end of file]");
  return [...page.lines, ...notes].filter((line) => line !== undefined).join("\n");
}

function restNote(page: Page, size: number): string | undefined {
  const last = page.first + page.lines.length - 1;
  if (page.total !== undefined && last >= page.total) return undefined;
  const total = page.total === undefined ? `a file of ${sizeOf(size)}` : grouped(page.total);
  const reason = page.isCutByBytes ? ", 50 KB limit" : "";
  return `[lines ${page.first}-${last} of ${total}${reason}. Continue with offset=${last + 1}.]`;
}

function hugeLineNote({ first, hugeFirstLine }: Page): string | undefined {
  if (hugeFirstLine === undefined) return undefined;
  return `[line ${first} has ${grouped(hugeFirstLine)} characters: run_shell with \`cut -c\` shows more of it]`;
}

function encodingNote({ encoding, candidates, isWritable }: Shown): string | undefined {
  if (encoding === "latin1") return "[encoding unknown, shown as Latin-1: edits are refused]";
  if (!isWritable) return "[UTF-8 with broken bytes, shown as \uFFFD: edits are refused]";
  if (encoding === "utf-8") return undefined;
  return `[encoding: ${candidates.length > 1 ? candidates.join(" or ") : encoding}]`;
}

async function pictureResult(
  { place, file, picture }: { place: ReadablePath; file: OpenFile; picture: PictureInfo },
  { vision, guard }: ReadFileOptions,
): Promise<ToolResult> {
  const { size } = file.stamp;
  const words = `image ${picture.width}x${picture.height} ${picture.format}, ${sizeOf(size)}`;
  if (!vision?.()) return { content: `[${words}; this model cannot see images. Use media.]` };
  if (Math.max(picture.width, picture.height) > MAX_PICTURE_SIDE || size > MAX_PICTURE_BYTES) {
    throw new ZqError(
      "ImageTooLarge",
      `${place.shown} is too large to be shown (${words}): at most 2,000 pixels a side and 4.5 MB. ` +
        "Make a smaller copy with run_shell and read that.",
    );
  }
  const bytes = await readBytes(file.handle, 0, size);
  guard?.noteRead(place.realPath, { stamp: file.stamp, bytes });
  const dataUrl = `data:${picture.mimeType};base64,${bytes.toString("base64")}`;
  const name = place.shown.split("/").at(-1) ?? place.shown;
  return { content: `[${words}]`, attachments: [{ name, mimeType: picture.mimeType, dataUrl }] };
}

function refuseBinary({ shown }: ReadablePath, file: OpenFile, head: Buffer): void {
  const type = mimeTypeOf(head);
  const size = sizeOf(file.stamp.size);
  const hasSignature = type !== "application/octet-stream" && !isPlainText(head);
  if (isBinary(head) || hasSignature) throw new ZqError("BinaryFile", `${shown} is binary (${type}, ${size})`);
}

/** UTF-8 without a NUL; the end of the sample may be torn. */
function isPlainText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  return [0, 1, 2, 3].some((torn) => isUtf8(head.subarray(0, Math.max(0, head.length - torn))));
}

const SCHEMA = buildToolSchema("read_file", description, {
  required: ["path"],
  properties: {
    path: { type: "string", description: "Path relative to the workspace root." },
    offset: {
      type: "integer",
      description: "First line, from 1. Negative counts from the end (-50: last 50 lines).",
      default: 1,
    },
    limit: { type: "integer", description: "Number of lines.", minimum: 1, maximum: MAX_LINES },
  },
});
