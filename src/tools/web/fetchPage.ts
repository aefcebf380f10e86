/** web_fetch: one page of a document from the web, marked as what it is: words of strangers. */

import { ZqError } from "../../shared/errors";
import { grouped, headOf } from "../text";
import { type Fetched, type GuardedFetchOptions, guardedFetch, parseAddress } from "./guardedFetch";
import { type PageForm, pageText } from "./pageText";
import { rawAddress } from "./rawAddress";

export interface PageRequest {
  url: unknown;
  form: PageForm;
  /** First character of the page to show. */
  offset: number;
  signal?: AbortSignal | undefined;
}

/** A document as converted. */
export interface WebDocument {
  url: string;
  text: string;
  notes: string[];
}

/** Documents of the last calls, so that the pages of one fit together. Keyed by form and address. */
export type PageMemory = Map<string, WebDocument>;

const MAX_BYTES = 5 * 1024 * 1024;
const PAGE_CHARS = 20_000;
const MAX_ERROR_CHARS = 500;
const KEPT_DOCUMENTS = 2;
const ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";

/** Fetches and renders a page. Throws `ZqError` where there is nothing to show, and the signal's reason. */
export async function fetchPage(
  request: PageRequest,
  options: GuardedFetchOptions,
  memory: PageMemory,
): Promise<string> {
  const url = rawAddress(parseAddress(request.url));
  const key = `${request.form} ${url.href}`;
  const kept = request.offset > 0 ? memory.get(key) : undefined;
  const document = kept ?? (await fetchDocument(url, request, options));
  memory.delete(key);
  memory.set(key, document);
  for (const oldest of [...memory.keys()].slice(0, -KEPT_DOCUMENTS)) memory.delete(oldest);
  return render(document, request.offset);
}

async function fetchDocument(
  url: URL,
  { form, signal }: PageRequest,
  options: GuardedFetchOptions,
): Promise<WebDocument> {
  const fetched = await guardedFetch(url.href, { maxBytes: MAX_BYTES, accept: ACCEPT, signal }, options);
  if (fetched.status >= 400) throw await httpError(fetched);
  const { text, notes } = await pageText(fetched, form);
  const cut = fetched.cut ? [`the answer was cut off ${fetched.cut}`] : [];
  return { url: fetched.url.href, text, notes: [...cut, ...notes] };
}

async function httpError(fetched: Fetched): Promise<ZqError> {
  const { text } = await pageText(fetched, "text").catch(() => ({ text: "" }));
  const status = `${fetched.status} ${fetched.statusText}`.trim();
  const message = `${fetched.url.href} answered with HTTP ${status}.`;
  const words = headOf(text.trim(), MAX_ERROR_CHARS);
  return new ZqError("HttpError", words === "" ? message : `${message} ${wrapped(fetched.url.href, words)}`);
}

function render({ url, text, notes }: WebDocument, offset: number): string {
  if (offset > 0 && offset >= text.length) {
    throw new ZqError("PastTheEnd", `offset ${offset} is past the end (${grouped(text.length)} characters)`);
  }
  const page = headOf(text.slice(offset), PAGE_CHARS);
  const end = offset + page.length;
  const isWhole = offset === 0 && end === text.length;
  const next = end < text.length ? ` Continue with offset=${end}.` : "";
  const place = isWhole ? [] : [`[characters ${offset}-${end} of ${grouped(text.length)}.${next}]`];
  return [wrapped(url, page.trim() === "" ? "(no text)" : page), ...place, ...notes.map((note) => `[${note}]`)].join(
    "\n",
  );
}

/** Nothing in the page can end the frame around it. */
function wrapped(url: string, text: string): string {
  const escaped = text.replace(/<(?=\s*\/?\s*web_content)/gi, "&lt;");
  const address = url.replace(/[<>"]/g, (char) => encodeURIComponent(char));
  return `Untrusted content follows.\n<web_content url="${address}">\n${escaped}\n</web_content>`;
}
