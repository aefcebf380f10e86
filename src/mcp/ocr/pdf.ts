/** The text of a PDF, page by page: what it holds as text, else what is read from the pictures on the page. */

import { messageOf, ZqError } from "../../shared/errors";
import { abortError } from "../clientErrors";
import type { Picture } from "./picture";
import { encodePng, type Pixels } from "./png";

const MOST_PAGES = 20;
const MOST_PICTURES = 10;
/** Smaller pictures are ornaments, in pixels a side. */
const LEAST_SIDE = 48;

export interface PdfOptions {
  /** Page numbers from 1; empty: the first 20. */
  pages: readonly number[];
  recognize(picture: Picture): Promise<string>;
  signal?: AbortSignal;
}

interface TextItem {
  str?: string;
  hasEOL?: boolean;
}

/** Reads the wanted pages as `[page 2]` and text. Throws `ZqError` for a file that is broken or locked. */
export async function readPdf(bytes: Buffer, { pages, recognize, signal }: PdfOptions): Promise<string> {
  const { getDocumentProxy, extractImages } = await import("unpdf");
  // Its warnings would go to our standard output.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: unknown) => {
    throw new ZqError("PdfUnreadable", `The PDF cannot be read: ${messageOf(error)}`);
  });
  try {
    const { numPages } = document;
    const wanted = pagesWithin(pages, numPages);
    const parts: string[] = [];
    for (const number of wanted) {
      if (signal?.aborted) throw abortError();
      const page = await document.getPage(number);
      const { items } = (await page.getTextContent()) as { items: TextItem[] };
      const text = textOf(items);
      const read = async () => joined(await extractImages(document, number), recognize);
      parts.push(`[page ${number}]\n${text || (await read()) || "[no text found]"}`);
    }
    const rest = pages.length === 0 && numPages > wanted.length;
    if (rest)
      parts.push(
        `[${wanted.length} of ${numPages} pages. Ask for others with pages, such as ${MOST_PAGES + 1}-${Math.min(numPages, 2 * MOST_PAGES)}.]`,
      );
    return parts.join("\n\n");
  } finally {
    await document.destroy();
  }
}

/** `1-3,5` as numbers. Throws `ZqError` where it is something else, or more than a call takes. */
export function parsePages(text: string): number[] {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    if (!first || Number(first) < 1 || Number(last) < Number(first)) {
      throw new ZqError("InvalidPages", `pages must look like 1-3,5 (got ${part}).`);
    }
    for (let page = Number(first); page <= Number(last) && numbers.size <= MOST_PAGES; page += 1) numbers.add(page);
  }
  if (numbers.size > MOST_PAGES) throw new ZqError("InvalidPages", `At most ${MOST_PAGES} pages a call.`);
  return [...numbers];
}

function pagesWithin(pages: readonly number[], total: number): number[] {
  if (pages.length === 0) return Array.from({ length: Math.min(total, MOST_PAGES) }, (_, at) => at + 1);
  const there = pages.filter((page) => page <= total);
  if (there.length > 0) return there;
  throw new ZqError("InvalidPages", `The PDF has ${total} page${total === 1 ? "" : "s"}.`);
}

function textOf(items: readonly TextItem[]): string {
  return items
    .map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str))
    .join("")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

async function joined(images: readonly Pixels[], recognize: PdfOptions["recognize"]): Promise<string> {
  const texts: string[] = [];
  const big = images.filter(({ width, height }) => Math.min(width, height) >= LEAST_SIDE);
  for (const image of big.slice(0, MOST_PICTURES)) {
    texts.push((await recognize({ bytes: encodePng(image), mimeType: "image/png" })).trim());
  }
  return texts.filter((text) => text !== "").join("\n");
}
