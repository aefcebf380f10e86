/** The bytes that media is asked about, from the workspace or the web, and what kind of thing they are. */

import { ZqError } from "../../shared/errors";
import type { WorkspaceRoots } from "../../shared/paths";
import { mimeTypeOf } from "../read/fileKind";
import { readBytes } from "../read/textSource";
import { openReadable, resolveReadable } from "../readable";
import { sizeOf } from "../text";
import { fetchOptionsOf, type WebAccess } from "../web/access";

export type Sense = "vision" | "audio" | "video";

export interface MediaFile {
  name: string;
  mimeType: string;
  sense: Sense;
  bytes: Buffer;
}

const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** The types that endpoints take, and the sense that each needs. */
const SENSES: Record<string, Sense> = {
  "image/png": "vision",
  "image/jpeg": "vision",
  "image/gif": "vision",
  "image/webp": "vision",
  "audio/mpeg": "audio",
  "audio/wav": "audio",
  "audio/mp4": "audio",
  "video/mp4": "video",
  "video/webm": "video",
  "video/quicktime": "video",
};
const TYPES = "png, jpeg, gif, webp, mp3, wav, m4a, mp4, webm and mov";

export interface MediaPlaces extends WebAccess {
  roots: WorkspaceRoots;
}

/** Reads or fetches what `path` names. Throws `ZqError` with the reason and what else can be done. */
export async function readMedia(path: string, places: MediaPlaces, signal?: AbortSignal): Promise<MediaFile> {
  const isAddress = /^https?:/i.test(path.trim());
  const { name, bytes } = await (isAddress ? fetched(path, places, signal) : fromDisk(path, places.roots));
  const mimeType = mimeTypeOf(bytes);
  const sense = SENSES[mimeType];
  if (sense) return { name, mimeType, sense, bytes };
  const kind = mimeType === "application/octet-stream" ? "" : ` (${mimeType})`;
  const next = isAddress ? "Use web_fetch for text." : "Use read_file for text and PDF.";
  throw new ZqError("NotMedia", `${name} is no image, sound or video that media can look at${kind}: ${TYPES}. ${next}`);
}

async function fromDisk(path: string, roots: WorkspaceRoots): Promise<{ name: string; bytes: Buffer }> {
  const place = await resolveReadable(roots, path);
  const file = await openReadable(roots, place);
  try {
    if (file.stamp.size > MAX_MEDIA_BYTES) throw tooLarge(place.shown, sizeOf(file.stamp.size));
    return { name: place.shown, bytes: await readBytes(file.handle, 0, file.stamp.size) };
  } finally {
    await file.handle.close();
  }
}

async function fetched(
  address: string,
  places: WebAccess,
  signal: AbortSignal | undefined,
): Promise<{ name: string; bytes: Buffer }> {
  const { guardedFetch } = await import("../web/guardedFetch");
  const request = { maxBytes: MAX_MEDIA_BYTES, accept: "image/*, audio/*, video/*", signal };
  const { url, status, statusText, bytes, cut } = await guardedFetch(address, request, fetchOptionsOf(places));
  if (status >= 400)
    throw new ZqError("HttpError", `${url.href} answered with HTTP ${`${status} ${statusText}`.trim()}.`);
  if (cut) throw tooLarge(url.href, `cut off ${cut}`);
  return { name: url.href, bytes };
}

function tooLarge(name: string, size: string): ZqError {
  return new ZqError("MediaTooLarge", `${name} is too large (${size}): at most 10 MB. Make a smaller copy first.`);
}
