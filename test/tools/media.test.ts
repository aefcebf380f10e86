import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { type MediaToolOptions, registerMediaTool } from "../../src/tools/media";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { startModelServer } from "../support/modelServer";
import { ScriptedProvider } from "../support/scriptedProvider";
import { pdfOf } from "./pdf";
import { callers, type Files, temporaryFolder, writeFiles } from "./toolBench";
import { listen } from "./webStage";

const latin = (text: string) => Buffer.from(text, "latin1");
const PNG = latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03");

/** The beginnings of files, enough to tell them apart. */
const SAMPLES: [name: string, bytes: Buffer, mimeType: string, sense: "vision" | "audio" | "video"][] = [
  ["a.png", PNG, "image/png", "vision"],
  ["a.jpg", latin("\xff\xd8\xff\xe0\0\x10JFIF"), "image/jpeg", "vision"],
  ["a.gif", latin("GIF89a\x01\0\x01\0"), "image/gif", "vision"],
  ["a.webp", latin("RIFF\x1a\0\0\0WEBPVP8L"), "image/webp", "vision"],
  ["a.mp3", latin("ID3\x04\0"), "audio/mpeg", "audio"],
  ["bare.mp3", latin("\xff\xfb\x90\x64\0\0"), "audio/mpeg", "audio"],
  ["a.wav", latin("RIFF\x24\0\0\0WAVEfmt "), "audio/wav", "audio"],
  ["a.m4a", latin("\0\0\0\x20ftypM4A \0\0"), "audio/mp4", "audio"],
  ["a.mp4", latin("\0\0\0\x20ftypisom\0\0"), "video/mp4", "video"],
  ["a.mov", latin("\0\0\0\x14ftypqt  \0\0"), "video/quicktime", "video"],
  ["a.webm", latin("\x1aE\xdf\xa3\x01\0\0\0"), "video/webm", "video"],
];

function stage(files: Files, options: MediaToolOptions = {}) {
  const workspace = temporaryFolder();
  writeFiles(workspace, files);
  const provider = new ScriptedProvider(() => ({ text: " A red square. " }));
  const registry = new ToolRegistry();
  registerMediaTool(registry, { workspace, provider, model: "gemini-2.5-pro", env: {}, ...options });
  return { workspace, provider, ...callers(registry) };
}

describe("what a model looks at", () => {
  test.each(SAMPLES)("%s", async (name, bytes, mimeType, sense) => {
    const { text, provider } = stage({ [name]: bytes });
    expect(await text("media", { path: name, question: "What is it?" })).toBe("A red square.");
    const url = `data:${mimeType};base64,${bytes.toString("base64")}`;
    const part =
      sense === "vision" ? { type: "image_url", image_url: { url } } : { type: "media", mimeType, dataUrl: url };
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]).toMatchObject({ model: "gemini-2.5-pro", tools: [] });
    expect(provider.requests[0]?.messages.at(-1)).toEqual({
      role: "user",
      content: [{ type: "text", text: "What is it?" }, part],
    });
  });

  test("is told by its bytes, and asked about in general by default", async () => {
    const { text, provider } = stage({ "a.txt": PNG });
    await text("media", { path: "a.txt" });
    expect(JSON.stringify(provider.requests[0]?.messages)).toMatch(/Describe the content\..*image_url/);
  });

  test("goes over the wire of a real provider", async () => {
    const { server, url } = await startModelServer([{ text: "A red square." }]);
    const provider = new OpenAIProvider({ env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: url } });
    const { text } = stage({ "a.png": PNG }, { provider, model: "gpt-4o" });
    expect(await text("media", { path: "a.png" })).toBe("A red square.");
    expect(JSON.stringify(server.requests[0]?.body)).toContain(PNG.toString("base64"));
  });
});

describe("which model", () => {
  test.each([
    ["gemini-2.5-pro", undefined, "a.mp3", "gemini-2.5-pro"],
    ["gpt-4o", "other", "a.png", "gpt-4o"],
    ["gpt-4o", "other", "a.mp4", "other"],
    ["never-heard-of-it", "other", "a.png", "other"],
  ])("%s with MEDIA_MODEL %s for %s: %s", async (model, other, path, used) => {
    const files = Object.fromEntries(SAMPLES.map(([name, bytes]) => [name, bytes]));
    const { text, provider } = stage(files, { model: () => model, env: { MEDIA_MODEL: other } });
    await text("media", { path });
    expect(provider.requests[0]?.model).toBe(used);
  });

  test("none: nothing is sent, and the error says what else there is", async () => {
    const { error, provider } = stage({ "a.png": PNG }, { model: "never-heard-of-it" });
    expect(await error("media", { path: "a.png" })).toMatch(
      /never-heard-of-it is not known to see images.*MEDIA_MODEL.*mcp__ocr__recognize.*read_file/,
    );
    expect(provider.requests).toEqual([]);
  });

  test("no provider at all", async () => {
    const registry = new ToolRegistry();
    registerMediaTool(registry);
    expect(await callers(registry).error("media", { path: "a.png" })).toMatch(/not available.*Use read_file/);
  });
});

describe("what it does not look at", () => {
  test.each<[string, Buffer | string, RegExp]>([
    [
      "a.txt",
      "text",
      /^a\.txt is no image, sound or video that media can look at: png, .*Use read_file for text and PDF/,
    ],
    ["a.pdf", pdfOf([["x"]]), /\(application\/pdf\).*Use read_file/],
    ["a.svg", "<svg/>", /Use read_file/],
    ["a.zip", latin("PK\x03\x04"), /\(application\/zip\)/],
    ["empty", "", /is no image/],
    ["big.png", Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]), /too large \(10\.0 MB\): at most 10 MB/],
  ])("%s", async (path, content, reason) => {
    const { error, provider } = stage({ [path]: content });
    expect(await error("media", { path })).toMatch(reason);
    expect(provider.requests).toEqual([]);
  });

  test("places outside, folders, and what is not there", async () => {
    const { error, workspace, provider } = stage({});
    const outside = temporaryFolder();
    writeFileSync(join(outside, "a.png"), PNG);
    symlinkSync(join(outside, "a.png"), join(workspace, "link.png"));
    mkdirSync(join(workspace, "folder"));
    for (const path of [join(outside, "a.png"), "link.png", "../a.png"]) {
      expect(await error("media", { path })).toContain("Path is outside the workspace");
    }
    expect(await error("media", { path: "folder" })).toContain("is a directory");
    expect(await error("media", { path: "none.png" })).toBe("File not found: none.png.");
    expect(provider.requests).toEqual([]);
  });
});

describe("addresses", () => {
  test("go through the rules of web_fetch", async () => {
    const port = await listen((request, response) => {
      if (request.url === "/a.png") response.end(PNG);
      else if (request.url === "/big") response.end(Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)]));
      else response.writeHead(404).end("<p>gone");
    });
    const url = `http://127.0.0.1:${port}`;
    const shut = stage({});
    expect(await shut.error("media", { path: `${url}/a.png` })).toContain("this machine itself");
    expect(shut.provider.requests).toEqual([]);
    const open = stage({}, { allowHosts: ["127.0.0.1"] });
    expect(await open.text("media", { path: `${url}/a.png` })).toBe("A red square.");
    expect(await open.error("media", { path: `${url}/x.png` })).toContain("answered with HTTP 404");
    expect(await open.error("media", { path: `${url}/big` })).toContain("too large (cut off at 10.0 MB)");
    expect(await open.error("media", { path: "http://169.254.169.254/a.png" })).toContain("never fetched");
  });
});

describe("the model's side", () => {
  test("it says nothing", async () => {
    const { error } = stage({ "a.png": PNG }, { provider: new ScriptedProvider([{ text: "" }]) });
    expect(await error("media", { path: "a.png" })).toContain("The model said nothing about a.png");
  });

  test("an interrupt ends the call", async () => {
    const stop = new AbortController();
    const provider = new ScriptedProvider([{ fault: "hang" }]);
    const { call } = stage({ "a.png": PNG }, { provider });
    const result = call("media", { path: "a.png" }, { signal: stop.signal });
    stop.abort();
    expect((await result).status).toBe("interrupted");
  });

  test("the engine wires it to its own provider and its model of the moment", async () => {
    const workspace = temporaryFolder();
    writeFiles(workspace, { "a.png": PNG });
    const provider = new ScriptedProvider([{ text: "A red square." }]);
    const engine = createDefaultEngine({ workspace, provider, model: "gpt-4o" });
    expect((await engine.registry.call("media", { path: "a.png" })).content).toBe("A red square.");
    expect(provider.requests[0]?.model).toBe("gpt-4o");
    await engine.dispose?.();
  });
});
