/** A permission request as label and value, and as a table for pages and chats (guide 20.1): nothing hides, nothing acts. */

import type { PermissionRequest } from "../shared/contracts";
import { collapseBlanks, visibleLine, visibleText } from "./sanitize";

/** One row of a request. Hidden and deceptive characters are shown as `<U+XXXX>`; line ends stay. */
export interface ApprovalField {
  label: string;
  value: string;
}

/** What a person must see before they decide: the tool, why it asks, and every argument whole (guide 8.3). */
export function approvalFields(request: PermissionRequest): ApprovalField[] {
  const args = Object.entries(request.arguments).map(([name, value]) => ({ label: name, value: argumentText(value) }));
  const rows = [{ label: "Tool", value: request.toolName }, { label: "Reason", value: request.reason }, ...args];
  return rows.map(({ label, value }) => ({ label: visibleLine(label), value: collapseBlanks(visibleText(value)) }));
}

/** The request as an HTML table; all foreign text is escaped. */
export function approvalToHtmlTable(request: PermissionRequest): string {
  const rows = approvalFields(request).map(
    ({ label, value }) => `<tr><th scope="row">${escapeHtml(label)}</th><td><pre>${escapeHtml(value)}</pre></td></tr>`,
  );
  return `<table>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
}

/** The request as a Markdown table; no text can leave its cell, become a link, or be styled. */
export function approvalToMarkdownTable(request: PermissionRequest): string {
  const rows = approvalFields(request).map(
    ({ label, value }) => `| ${escapeMarkdown(label)} | ${escapeMarkdown(value)} |`,
  );
  return ["| Field | Value |", "| --- | --- |", ...rows].join("\n");
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}

const htmlNames: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => htmlNames[char] ?? char);
}

/** Entities are text in every Markdown dialect, also in a table cell, where a backslash before a pipe is read in two ways. */
function escapeMarkdown(text: string): string {
  return text
    .replace(
      /[\\`*[\]<>#|~&$@:]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=www)\./gu,
      (char) => `&#${char.charCodeAt(0)};`,
    )
    .replace(/ (?= )/g, "&nbsp;")
    .replaceAll("\n", "<br>");
}
