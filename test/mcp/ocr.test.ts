/** The OCR preset: which way is gone, what is said when there is none, images and PDFs, and whose files it reads. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { withBuiltinMcpConfigs } from "../../src/mcp/config";
import { McpManager } from "../../src/mcp/McpManager";
import { parsePages } from "../../src/mcp/ocr/pdf";
import { encodePng } from "../../src/mcp/ocr/png";
import { createRecognizer } from "../../src/mcp/ocr/recognizer";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { startModelServer } from "../support/modelServer";
import { temporaryFolder } from "./bench";

const white = { data: new Uint8ClampedArray(64 * 64 * 3).fill(255), width: 64, height: 64, channels: 3 } as const;
const PNG = encodePng(white);

/** A folder with a program of that name, as the only entry of PATH beside the shell's. */
function pathWith(name: string, script: string): { PATH: string; log: string } {
  const folder = temporaryFolder();
  const log = join(folder, "log");
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, log };
}

async function ocr(files: Record<string, Buffer>, builtin: object = {}) {
  const workspace = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(workspace, name), bytes);
  const registry = new ToolRegistry();
  const env = { PATH: "/nowhere" };
  const manager = new McpManager(registry, withBuiltinMcpConfigs([]), { builtin: { workspace, env, ...builtin } });
  expect(await manager.connectAll()).toEqual({ connected: ["ocr"], failed: [] });
  return {
    workspace,
    recognize: (args: object, ctx = {}) => registry.call("mcp__ocr__recognize", { ...args }, ctx),
    registry,
  };
}

describe("ways", () => {
  it("is a tool as any other of a server", async () => {
    const { registry } = await ocr({});
    expect(registry.get("mcp__ocr__recognize")).toMatchObject({
      source: "mcp:ocr",
      metadata: { category: "mcp", riskLevel: "high", requiresApproval: true },
    });
  });

  it("without any it says what is missing", async () => {
    const { recognize } = await ocr({ "a.png": PNG });
    const { content, status } = await recognize({ path: "a.png" });
    expect(status).toBe("error");
    expect(JSON.parse(content)).toMatchObject({ error_type: "no_ocr" });
    expect(content).toMatch(/macOS Vision: .*tesseract: not on PATH; a multimodal model: none was given.*builtin\.llm/);
  });

  it("tesseract reads a copy of the file in the languages that it has", async () => {
    const { PATH, log } = pathWith(
      "tesseract",
      '[ "$1" = --list-langs ] && { echo eng; echo jpn; exit; }\nwc -c < "$1"',
    );
    const { recognize } = await ocr({ "-a.png": PNG }, { env: { PATH } });
    expect(await recognize({ path: "-a.png", language: "ja, fr" })).toMatchObject({
      content: String(PNG.length),
      status: "ok",
    });
    const calls = readFileSync(log, "utf8");
    expect(calls).toMatch(/stdout -l jpn\n$/);
    expect(calls).not.toContain("-a.png");
  });

  it("one that lies in the workspace is not taken", async () => {
    const { workspace, recognize } = await ocr({ "a.png": PNG });
    mkdirSync(join(workspace, "bin"));
    const { PATH } = pathWith("tesseract", "echo planted");
    expect(PATH).not.toContain(workspace);
    const env = { PATH: join(workspace, "bin") };
    writeFileSync(join(workspace, "bin", "tesseract"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    const read = createRecognizer({ workspace, env }, { languages: [] });
    await expect(read({ bytes: PNG, mimeType: "image/png" })).rejects.toThrow(/not on PATH/);
    expect((await recognize({ path: "a.png" })).status).toBe("error");
  });

  it("on macOS Vision comes first, and tesseract when it fails", async () => {
    const vision = pathWith("osascript", 'for last; do :; done\necho "seen $last"');
    const options = { languages: ["zh"], platform: "darwin" as const };
    const picture = { bytes: PNG, mimeType: "image/png" };
    expect(await createRecognizer({ env: { PATH: vision.PATH } }, options)(picture)).toContain("seen zh-Hans");
    const broken = pathWith("osascript", "echo no Vision >&2; exit 1");
    const second = pathWith("tesseract", "echo second");
    const env = { PATH: `${broken.PATH}:${second.PATH}` };
    expect(await createRecognizer({ env }, options)(picture)).toBe("second\n");
  });

  it("a model reads it where nothing else can", async () => {
    const { url, server } = await startModelServer([{ text: "INVOICE 7" }]);
    const { recognize } = await ocr({ "a.png": PNG }, { llm: { apiKey: "k", baseURL: url, model: "eyes" } });
    expect(await recognize({ path: "a.png" })).toMatchObject({ content: "INVOICE 7", status: "ok" });
    expect(JSON.stringify(server.requests)).toContain(PNG.toString("base64"));
  });

  it("an interrupt ends the program", async () => {
    const { PATH } = pathWith("tesseract", "sleep 600");
    const { recognize } = await ocr({ "a.png": PNG }, { env: { PATH } });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect(await recognize({ path: "a.png" }, { signal: stop.signal })).toMatchObject({ status: "interrupted" });
  });
});

describe("files", () => {
  it.each([
    ["outside the workspace", "../secret.png", "PathOutside"],
    ["not there", "gone.png", "FileNotFound"],
    ["text", "notes.txt", "NoPicture"],
  ])("%s", async (_kind, path, type) => {
    const { recognize } = await ocr({ "notes.txt": Buffer.from("hello") });
    const { content, status } = await recognize({ path });
    expect({ status, type: JSON.parse(content).error_type }).toEqual({ status: "error", type });
  });
});

describe("PDF", () => {
  it("text of its own is taken as it is, and a scanned page is read", async () => {
    const { PATH } = pathWith("tesseract", '[ "$1" = --list-langs ] || echo "from the scan"');
    const { recognize } = await ocr({ "a.pdf": buildPdf(["Hello page", null, "Last page"]) }, { env: { PATH } });
    expect(await recognize({ path: "a.pdf" })).toMatchObject({
      content: "[page 1]\nHello page\n\n[page 2]\nfrom the scan\n\n[page 3]\nLast page",
      status: "ok",
    });
    expect((await recognize({ path: "a.pdf", pages: "3" })).content).toBe("[page 3]\nLast page");
    expect((await recognize({ path: "a.pdf", pages: "9" })).content).toContain("The PDF has 3 pages.");
  });

  it("a broken one is an error", async () => {
    const { recognize } = await ocr({ "a.pdf": Buffer.from("%PDF-1.4\nnothing") });
    expect(await recognize({ path: "a.pdf" })).toMatchObject({
      status: "error",
      content: expect.stringContaining("PdfUnreadable"),
    });
  });

  it.each([
    ["", []],
    ["3", [3]],
    ["1-3,5", [1, 2, 3, 5]],
    ["2, 2 1", [2, 1]],
  ])("pages %j", (text, pages) => {
    expect(parsePages(text)).toEqual(pages);
  });

  it.each([["0"], ["3-1"], ["x"], ["1-99"]])("pages %j are refused", (text) => {
    expect(() => parsePages(text)).toThrow(/page/);
  });
});

/** A PDF with a page for each entry: a line of text, or a picture where it is null. */
function buildPdf(pages: (string | null)[]): Buffer {
  const picture = deflateSync(Buffer.from(white.data));
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(
      `<< /Type /Pages /Kids [${pages.map((_, at) => `${5 + at * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    ),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
    stream(
      "/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
      picture,
    ),
  ];
  pages.forEach((text, at) => {
    const resources = "<< /Font << /F1 3 0 R >> /XObject << /P1 4 0 R >> >>";
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources ${resources} /Contents ${6 + at * 2} 0 R >>`,
      ),
      stream(
        "",
        Buffer.from(text === null ? "q 200 0 0 200 50 50 cm /P1 Do Q" : `BT /F1 24 Tf 50 150 Td (${text}) Tj ET`),
      ),
    );
  });
  return assemble(objects);
}

function stream(entries: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${body.length} >>\nstream\n`),
    body,
    Buffer.from("\nendstream"),
  ]);
}

function assemble(objects: Buffer[]): Buffer {
  let out = Buffer.from("%PDF-1.4\n");
  const offsets = objects.map((body, at) => {
    const offset = out.length;
    out = Buffer.concat([out, Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
  return Buffer.concat([out, Buffer.from(table + trailer)]);
}
