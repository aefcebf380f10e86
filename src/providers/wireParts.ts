/** Content for the wire: plain text as a string, lists of parts only where there is something besides text. */

import { type ContentPart, type MediaPart, type Message, textOf } from "../shared/messages";

type Json = Record<string, unknown>;

const NO_IMAGES = "[image left out: this model takes no images]";

/** Chat content. */
export function chatContent(content: Message["content"], takesImages: boolean): string | Json[] {
  return contentBy(content, takesImages, { text: "text", image: chatImage, media: chatMedia });
}

/** Responses content of a user message. */
export function responsesContent(content: Message["content"], takesImages: boolean): string | Json[] {
  return contentBy(content, takesImages, { text: "input_text", image: responsesImage, media: responsesMedia });
}

/** True where the history shows anything but text. */
export function hasMedia(messages: Message[]): boolean {
  return messages.some(
    (message) => Array.isArray(message.content) && message.content.some((part) => part.type !== "text"),
  );
}

interface Form {
  text: string;
  image: (part: Extract<ContentPart, { type: "image_url" }>) => Json;
  media: (part: MediaPart) => Json;
}

function contentBy(content: Message["content"], takesImages: boolean, form: Form): string | Json[] {
  if (!Array.isArray(content)) return content ?? "";
  const parts = takesImages
    ? content
    : content.map((part): ContentPart => (part.type === "text" ? part : { type: "text", text: NO_IMAGES }));
  if (parts.every((part) => part.type === "text"))
    return parts
      .map((part) => textOf([part]))
      .filter(Boolean)
      .join("\n\n");
  return parts.map((part) => {
    if (part.type === "image_url") return form.image(part);
    return part.type === "media" ? form.media(part) : { type: form.text, text: part.text };
  });
}

function chatImage(part: Extract<ContentPart, { type: "image_url" }>): Json {
  return { type: "image_url", image_url: part.image_url };
}

function responsesImage({ image_url }: Extract<ContentPart, { type: "image_url" }>): Json {
  return { type: "input_image", image_url: image_url.url, detail: image_url.detail ?? "auto" };
}

function chatMedia(part: MediaPart): Json {
  if (part.mimeType.startsWith("image/")) return { type: "image_url", image_url: { url: part.dataUrl } };
  if (part.mimeType.startsWith("video/")) return { type: "video_url", video_url: { url: part.dataUrl } };
  return audio(part);
}

function responsesMedia(part: MediaPart): Json {
  if (part.mimeType.startsWith("image/")) return { type: "input_image", image_url: part.dataUrl, detail: "auto" };
  if (part.mimeType.startsWith("video/")) return { type: "input_file", filename: "video", file_data: part.dataUrl };
  return audio(part);
}

function audio({ mimeType, dataUrl }: MediaPart): Json {
  const format = /wav/.test(mimeType) ? "wav" : /mpeg|mp3/.test(mimeType) ? "mp3" : (mimeType.split("/")[1] ?? "mp3");
  return { type: "input_audio", input_audio: { data: dataUrl.slice(dataUrl.indexOf(",") + 1), format } };
}
