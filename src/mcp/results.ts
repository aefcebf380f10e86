/** The answer of a foreign tool as a result of ours: text, pictures as attachments, and a note for whatever else it sent. */

import type { ToolResult } from "../shared/contracts";
import type { MessageAttachment } from "../shared/messages";
import { sizeOf } from "../tools/text";
import { visibleName } from "./foreignText";

const pictureTypes = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
]);
const MAX_PICTURES = 8;
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

type Block = Record<string, unknown>;

/** Reads the result of `tools/call`, of any protocol version. Never throws. */
export function buildToolResult(raw: Record<string, unknown>): ToolResult {
  const attachments: MessageAttachment[] = [];
  const blocks = Array.isArray(raw.content) ? raw.content.filter(isRecord) : [];
  const texts = blocks.map((block) => textOf(block, attachments));
  if (texts.join("") === "") texts.push(structured(raw));
  const content = texts.filter((text) => text !== "").join("\n") || "[the tool returned nothing]";
  return {
    content,
    status: raw.isError === true ? "error" : "ok",
    ...(attachments.length > 0 && { attachments }),
  };
}

/** Servers repeat structured content as text for those who read only that; without text it is all there is. */
function structured({ structuredContent, toolResult }: Record<string, unknown>): string {
  const value = structuredContent ?? toolResult;
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textOf(block: Block, attachments: MessageAttachment[]): string {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? block.text : "";
    case "image":
      return pictureNote(block, attachments);
    case "audio":
      return binaryNote("audio", block.mimeType, block.data);
    case "resource":
      return isRecord(block.resource) ? resourceText(block.resource, attachments) : "";
    case "resource_link":
      return `[resource: ${line(block.name)} ${line(block.uri)}]`;
    default:
      return `[content of type ${line(block.type)}, which cannot be shown]`;
  }
}

function resourceText(resource: Block, attachments: MessageAttachment[]): string {
  const head = `[resource ${line(resource.uri)}]`;
  if (typeof resource.text === "string") return `${head}\n${resource.text}`;
  const isPicture = pictureTypes.has(String(resource.mimeType));
  const note = isPicture
    ? pictureNote({ mimeType: resource.mimeType, data: resource.blob }, attachments)
    : binaryNote("data", resource.mimeType, resource.blob);
  return `${head}\n${note}`;
}

function pictureNote({ mimeType, data }: Block, attachments: MessageAttachment[]): string {
  const ending = pictureTypes.get(String(mimeType));
  const isTaken =
    ending !== undefined &&
    typeof data === "string" &&
    attachments.length < MAX_PICTURES &&
    bytesOf(data) <= MAX_PICTURE_BYTES &&
    /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data);
  if (!isTaken) return binaryNote("image", mimeType, data);
  const payload = data.replace(/\s/g, "");
  const name = `image-${attachments.length + 1}.${ending}`;
  attachments.push({ name, mimeType: String(mimeType), dataUrl: `data:${mimeType};base64,${payload}` });
  return `[${name}: ${mimeType}, ${sizeOf(bytesOf(payload))}]`;
}

function binaryNote(kind: string, mimeType: unknown, data: unknown): string {
  return `[${kind} ${line(mimeType)}, ${sizeOf(bytesOf(data))}, not shown]`;
}

function bytesOf(data: unknown): number {
  return typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0;
}

function line(value: unknown): string {
  return typeof value === "string" ? visibleName(value) : "of unknown kind";
}

function isRecord(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
