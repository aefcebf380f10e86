/** Pictures, sound and video that a person adds to a prompt: checked, stored, and sent in their own turn (guide 13). */

import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { messageOf, ZqError } from "../shared/errors";
import type { ContentPart, Message, MessageAttachment, StoredAttachment } from "../shared/messages";

/** Most attachments of one request (guide 13.1). */
export const MAX_ATTACHMENTS = 4;
/** Most bytes of one attachment, and of all of a request together. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Folder under the session's own, where the bytes lie. */
export const ATTACHMENT_DIR = "attachments";

/** Thrown for attachments that cannot be used; its message says which and why. */
export class AttachmentError extends ZqError {
  constructor(message: string, options?: ErrorOptions) {
    super("attachment", message, options);
    this.name = "AttachmentError";
  }
}

/**
 * Checks what a caller hands in (guide 13.1): an array of `{ name, mimeType, dataUrl }`. Returns undefined for none.
 *
 * @throws AttachmentError naming the attachment and what is wrong with it
 */
export function normalizeAttachments(input: unknown): MessageAttachment[] | undefined {
  if (input === undefined || input === null) return undefined;
  if (!Array.isArray(input)) throw new AttachmentError("attachments must be an array of { name, mimeType, dataUrl }.");
  if (input.length === 0) return undefined;
  if (input.length > MAX_ATTACHMENTS) {
    throw new AttachmentError(`${input.length} attachments were given; a request takes ${MAX_ATTACHMENTS} at most.`);
  }
  const attachments = input.map((item: unknown, index) => normalizeOne(item, index));
  const total = attachments.reduce((sum, attachment) => sum + bytesOf(attachment), 0);
  if (total > MAX_ATTACHMENT_BYTES)
    throw new AttachmentError(`The attachments have ${megabytes(total)} together; 10 MB is the limit.`);
  return attachments;
}

function normalizeOne(item: unknown, index: number): MessageAttachment {
  const given = (typeof item === "object" && item !== null ? item : {}) as Partial<MessageAttachment>;
  const name = typeof given.name === "string" && given.name.trim() ? safeName(given.name) : `attachment-${index + 1}`;
  const { mimeType, payload } = parseDataUrl(given.dataUrl, name);
  const declared = typeof given.mimeType === "string" && given.mimeType ? given.mimeType.toLowerCase() : mimeType;
  if (!/^(image|audio|video)\/[a-z0-9.+-]+$/.test(declared) || declared !== mimeType) {
    throw new AttachmentError(`${name}: the type ${declared} cannot be attached; image, audio and video can.`);
  }
  const attachment = { name, mimeType, dataUrl: `data:${mimeType};base64,${payload}` };
  const size = bytesOf(attachment);
  if (size === 0) throw new AttachmentError(`${name}: the attachment is empty.`);
  if (size > MAX_ATTACHMENT_BYTES) throw new AttachmentError(`${name}: ${megabytes(size)}; 10 MB is the limit.`);
  return attachment;
}

function parseDataUrl(dataUrl: unknown, name: string): { mimeType: string; payload: string } {
  const start = typeof dataUrl === "string" ? /^data:([^;,]+);base64,/i.exec(dataUrl.slice(0, 200)) : null;
  if (!start?.[1] || typeof dataUrl !== "string") {
    throw new AttachmentError(`${name}: dataUrl must be data:<mime>;base64,<payload>.`);
  }
  const payload = dataUrl.slice(start[0].length).replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(payload)) throw new AttachmentError(`${name}: the payload is not base64.`);
  return { mimeType: start[1].toLowerCase(), payload };
}

function payloadOf(attachment: MessageAttachment): string {
  return attachment.dataUrl.slice(attachment.dataUrl.indexOf(",") + 1);
}

function bytesOf(attachment: MessageAttachment): number {
  return Buffer.byteLength(payloadOf(attachment), "base64");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A file name without folders, control characters or a leading dot. */
function safeName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  return (
    base
      .replace(/[^\p{L}\p{N}._ -]/gu, "_")
      .replace(/^\.+/, "_")
      .slice(-80)
      .trim() || "attachment"
  );
}

/**
 * Writes attachments under `<sessionDir>/attachments/` (guide 13.1) and returns what the history keeps of them.
 *
 * @throws AttachmentError when the folder cannot be written
 */
export function saveAttachments(sessionDir: string, attachments: readonly MessageAttachment[]): StoredAttachment[] {
  const prefix = `${Date.now().toString(36)}${randomBytes(3).toString("hex")}`;
  try {
    if (attachments.length > 0) mkdirSync(join(sessionDir, ATTACHMENT_DIR), { recursive: true, mode: 0o700 });
    return attachments.map((attachment, index) => {
      const bytes = Buffer.from(payloadOf(attachment), "base64");
      const path = posix.join(ATTACHMENT_DIR, `${prefix}-${index}-${safeName(attachment.name).replaceAll(" ", "_")}`);
      writeFileSync(join(sessionDir, path), bytes, { flag: "wx", mode: 0o600 });
      return { name: attachment.name, mimeType: attachment.mimeType, size: bytes.length, path };
    });
  } catch (error) {
    throw new AttachmentError(`The attachments could not be saved: ${messageOf(error)}`, { cause: error });
  }
}

const typeByEnding: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
};

/**
 * Reads a stored attachment (guide 13.1). `path` must be `attachments/<file>`; links are not followed.
 *
 * @throws AttachmentError for any other path, and for what is no regular file within the limit
 */
export function readStoredAttachment(
  sessionDir: string,
  path: string,
): { name: string; mimeType: string; size: number; base64: string } {
  const file = /^attachments\/([^/\\\0]+)$/.exec(path)?.[1];
  if (!file || file === "." || file === "..") throw new AttachmentError(`${path}: not a path of a stored attachment.`);
  const bytes = readRegularFile(join(sessionDir, ATTACHMENT_DIR, file), path);
  const ending = file.split(".").at(-1)?.toLowerCase() ?? "";
  const mimeType = (Object.hasOwn(typeByEnding, ending) && typeByEnding[ending]) || "application/octet-stream";
  const name = file.replace(/^[a-z0-9]+-\d+-/, "");
  return { name, mimeType, size: bytes.length, base64: bytes.toString("base64") };
}

function readRegularFile(path: string, shown: string): Buffer {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > MAX_ATTACHMENT_BYTES) throw new Error("not a file of at most 10 MB");
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new AttachmentError(`${shown}: the attachment cannot be read (${messageOf(error)}).`, { cause: error });
  }
}

/** The parts of a message that carry attachments to a model. */
export function partsOf(attachments: readonly MessageAttachment[]): ContentPart[] {
  return attachments.map(({ mimeType, dataUrl }) =>
    mimeType.startsWith("image/")
      ? { type: "image_url", image_url: { url: dataUrl } }
      : { type: "media", mimeType, dataUrl },
  );
}

/** What stands in a prompt for its attachments, in their own turn and after it. */
export function attachmentNote(attachments: readonly { name: string; mimeType: string }[]): string {
  return attachments.map(({ name, mimeType }) => `[attachment: ${name}, ${mimeType}]`).join("\n");
}

/** A copy of a history without the bytes of attachments (guide 20.1); messages without any are the same objects. */
export function stripAttachments(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (!Array.isArray(message.content) || message.content.every((part) => part.type === "text")) return message;
    const texts = message.content.map((part) => (part.type === "text" ? part.text : ""));
    return { ...message, content: texts.filter((text) => text !== "").join("\n") || "[attachment]" };
  });
}
