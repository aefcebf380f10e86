/** The OCR preset: a server with one tool, in this very process, so that `mcp__ocr__recognize` needs no child (guide 15.6). */

import { resolve } from "node:path";
import description from "../../../prompts/mcp/ocr_recognize.md";
import type { ToolContext, ToolResult } from "../../shared/contracts";
import { ZqError } from "../../shared/errors";
import { readRegularFile } from "../../shared/files";
import { WorkspaceRoots } from "../../shared/paths";
import { mimeTypeOf } from "../../tools/read/fileKind";
import { resolveReadable } from "../../tools/readable";
import type { McpBuiltinContext } from "../builtinContext";
import type { McpConnection } from "../connection";
import { type McpToolDefinition, parseDefinitions } from "../definitions";
import { parsePages, readPdf } from "./pdf";
import type { Picture } from "./picture";
import { createRecognizer } from "./recognizer";

const MAX_FILE_BYTES = 50 * 1024 * 1024;
const pictureTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff"]);

const TOOL = {
  name: "recognize",
  description,
  inputSchema: {
    type: "object",
    required: ["path"],
    additionalProperties: false,
    properties: {
      path: { type: "string", description: "Image or PDF, relative to the workspace." },
      pages: { type: "string", description: "Pages of a PDF, such as 1-3,5. Default: the first 20." },
      language: {
        type: "string",
        description: "Languages of the text, such as en or zh,en. Default: what is installed.",
      },
    },
  },
};

export class OcrServer implements McpConnection {
  readonly #context: McpBuiltinContext;
  readonly #roots: WorkspaceRoots;
  #isOpen = false;

  constructor(context: McpBuiltinContext) {
    this.#context = context;
    this.#roots = context.roots ?? new WorkspaceRoots(resolve(context.workspace ?? "."));
  }

  get isConnected(): boolean {
    return this.#isOpen;
  }

  async connect(): Promise<void> {
    this.#isOpen = true;
  }

  async listTools(): Promise<{ tools: McpToolDefinition[]; warnings: string[] }> {
    return parseDefinitions([TOOL]);
  }

  /** Reads the text of one file. Throws `ZqError` where the file is none, or nothing here can read it. */
  async callTool(name: string, args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
    if (name !== TOOL.name) throw new ZqError("mcp_error", `The OCR preset has no tool ${name}.`);
    const place = await resolveReadable(this.#roots, args.path);
    const { bytes } = await readRegularFile(place.realPath, MAX_FILE_BYTES);
    const mimeType = mimeTypeOf(bytes);
    const languages = typeof args.language === "string" ? args.language.split(/[\s,+]+/).filter(Boolean) : [];
    const recognize = createRecognizer(this.#context, { languages, ...(ctx.signal && { signal: ctx.signal }) });
    if (mimeType === "application/pdf") {
      const pages = parsePages(typeof args.pages === "string" ? args.pages : "");
      return { content: await readPdf(bytes, { pages, recognize, ...(ctx.signal && { signal: ctx.signal }) }) };
    }
    if (!pictureTypes.has(mimeType)) {
      throw new ZqError("NoPicture", `${place.shown} is no image and no PDF (${mimeType}). read_file reads text.`);
    }
    const picture: Picture = { bytes, mimeType };
    return { content: (await recognize(picture)).trim() || "[no text found]" };
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }
}
