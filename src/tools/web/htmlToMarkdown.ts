/** A web page as Markdown or as bare text, within a limit of time: some pages take a converter for ever. */

import type TurndownService from "turndown";
import { decodeEntities } from "../../render/entities";
import { createRunLimit, type TimeLimit } from "../search/timeLimit";
import { plainTextOf } from "./plainHtml";
import { trimHtml } from "./trimHtml";

export interface ConvertedPage {
  text: string;
  /** Sentences about what is missing. */
  notes: string[];
}

/** Milliseconds that a conversion may take; nothing else runs meanwhile, and 700 KB take about 600. */
const CONVERSION_MS = 4_000;

/** `base`: the page's address, against which its links are completed. */
export async function htmlToMarkdown(html: string, base: URL, form: "markdown" | "text"): Promise<ConvertedPage> {
  const trimmed = trimHtml(html);
  const notes = trimmed.isCut ? ["only the first 1 MB of the page was converted"] : [];
  const service = await createService(base, form);
  const converted = convertInTime(service, trimmed.html);
  if (converted === undefined) notes.push("the page is too intricate for Markdown: this is its bare text");
  const text = converted ?? plainTextOf(trimmed.html);
  const title = decodeEntities(trimmed.title).replace(/\s+/g, " ").trim();
  const hasHeading = title === "" || /^# /m.test(text) || text.startsWith(title);
  return { text: hasHeading ? text : `${form === "markdown" ? "# " : ""}${title}\n\n${text}`, notes };
}

let limit: TimeLimit | undefined;

function convertInTime(service: TurndownService, html: string): string | undefined {
  limit ??= createRunLimit();
  let text: string | undefined;
  try {
    limit(CONVERSION_MS, () => {
      text = service.turndown(html);
    });
  } catch {
    return undefined; // no page may fail for its markup
  }
  return text?.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n");
}

async function createService(base: URL, form: "markdown" | "text"): Promise<TurndownService> {
  const [turndown, plugin] = await Promise.all([import("turndown"), import("@joplin/turndown-plugin-gfm")]);
  const service = new turndown.default({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  service.use(plugin.gfm ?? plugin.default.gfm);
  service.remove(["nav", "template", "iframe", "object", "canvas", "button"]);
  if (form === "text") addPlainRules(service);
  else addLinkRules(service, base);
  return service;
}

function addPlainRules(service: TurndownService): void {
  service.escape = (text) => text;
  const inline = ["a", "em", "i", "strong", "b", "code", "del", "s", "strike"];
  service.addRule("plainInline", { filter: inline, replacement: (content) => content });
  const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
  service.addRule("plainHeading", { filter: headings, replacement: (content) => `\n\n${content}\n\n` });
  service.addRule("plainImage", { filter: "img", replacement: (_, node) => node.getAttribute("alt") ?? "" });
}

/** Links are completed, for the model may want to follow them; those inside the page lead nowhere for it. */
function addLinkRules(service: TurndownService, base: URL): void {
  service.addRule("completeLink", {
    filter: "a",
    replacement: (content, node) => {
      const target = completed(node.getAttribute("href"), base);
      return target && content.trim() !== "" ? `[${content}](${target})` : content;
    },
  });
  service.addRule("completeImage", {
    filter: "img",
    replacement: (_, node) => {
      const alt = (node.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
      const target = completed(node.getAttribute("src"), base);
      return target && alt !== "" ? `![${alt}](${target})` : alt;
    },
  });
}

function completed(link: string | null, base: URL): string | undefined {
  if (!link || link.startsWith("#") || !URL.canParse(link, base.href)) return undefined;
  const target = new URL(link, base);
  const isUsable = target.protocol === "http:" || target.protocol === "https:" || target.protocol === "mailto:";
  return isUsable ? target.href.replace(/[()]/g, (char) => (char === "(" ? "%28" : "%29")) : undefined;
}
