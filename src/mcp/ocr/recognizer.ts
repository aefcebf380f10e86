/** The ways from a picture to its text, in order: macOS Vision, tesseract, a multimodal model (guide 15.6). */

import { messageOf, ZqError } from "../../shared/errors";
import type { McpBuiltinContext } from "../builtinContext";
import { abortError } from "../clientErrors";
import { readByModel } from "./model";
import type { Picture } from "./picture";
import { findTesseract, readByTesseract } from "./tesseract";
import { findVision, readByVision } from "./vision";

export interface RecognizeOptions {
  /** As a person writes them (`en`, `zh-TW`); empty: whatever is there. */
  languages: readonly string[];
  signal?: AbortSignal;
  /** Default: the process's own. */
  platform?: NodeJS.Platform;
}

/** One way, and why it cannot be gone here (then it is passed over). */
type Way = { name: string; missing: string } | { name: string; read(picture: Picture): Promise<string> };

/**
 * Builds the function that reads a picture by the first way that works. It throws `ZqError` `no_ocr` with the reason
 * of each when there is none, and an `AbortError` at an interrupt.
 */
export function createRecognizer(
  context: McpBuiltinContext,
  options: RecognizeOptions,
): (picture: Picture) => Promise<string> {
  const ways = waysOf(context, options);
  return async (picture) => {
    const reasons: string[] = [];
    for (const way of ways) {
      if (options.signal?.aborted) throw abortError();
      if ("missing" in way) {
        reasons.push(`${way.name}: ${way.missing}`);
        continue;
      }
      try {
        return await way.read(picture);
      } catch (error) {
        if (options.signal?.aborted) throw abortError();
        reasons.push(`${way.name}: ${messageOf(error)}`);
      }
    }
    throw new ZqError(
      "no_ocr",
      `The text of the image could not be read. ${reasons.join("; ")}. Install tesseract, or give McpManager builtin.llm.`,
    );
  };
}

function waysOf(context: McpBuiltinContext, options: RecognizeOptions): Way[] {
  const env = context.env ?? process.env;
  const place = { env, outside: context.workspace };
  const vision = findVision(options.platform ?? process.platform, place);
  const tesseract = findTesseract(place);
  const { llm } = context;
  return [
    vision
      ? { name: "macOS Vision", read: (picture) => readByVision(vision, picture, { ...options, env }) }
      : { name: "macOS Vision", missing: "not on this system" },
    tesseract
      ? { name: "tesseract", read: (picture) => readByTesseract(tesseract, picture, { ...options, env }) }
      : { name: "tesseract", missing: "not on PATH" },
    llm?.model
      ? { name: `the model ${llm.model}`, read: (picture) => readByModel(llm, picture, options.signal) }
      : { name: "a multimodal model", missing: "none was given" },
  ];
}
