import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AttachmentError,
  MAX_ATTACHMENT_BYTES,
  normalizeAttachments,
  readStoredAttachment,
  saveAttachments,
  stripAttachments,
} from "../../src/engine/attachments";
import { temporaryFolder } from "./engineUnderTest";

const png = (name = "shot.png", payload = "AAAA") => ({
  name,
  mimeType: "image/png",
  dataUrl: `data:image/png;base64,${payload}`,
});

describe("normalizeAttachments", () => {
  it("takes what is right, and nothing for none", () => {
    expect(normalizeAttachments([png()])).toEqual([png()]);
    expect(normalizeAttachments(undefined)).toBeUndefined();
    expect(normalizeAttachments([])).toBeUndefined();
    expect(normalizeAttachments([{ ...png(), name: "../../etc/passwd" }])?.[0]?.name).toBe("passwd");
    expect(normalizeAttachments([{ dataUrl: png().dataUrl }])?.[0]).toMatchObject({
      name: "attachment-1",
      mimeType: "image/png",
    });
  });

  it.each([
    ["no list", "x", /must be an array/],
    ["five", Array.from({ length: 5 }, () => png()), /takes 4 at most/],
    [
      "another type",
      [{ name: "a.pdf", mimeType: "application/pdf", dataUrl: "data:application/pdf;base64,AAAA" }],
      /cannot be attached/,
    ],
    ["a type that its bytes do not have", [{ ...png(), mimeType: "audio/mpeg" }], /cannot be attached/],
    ["no data URL", [{ name: "a", mimeType: "image/png", dataUrl: "https://example.com/a.png" }], /must be data:/],
    ["no base64", [png("a.png", "A%%A")], /not base64/],
    ["nothing in it", [png("a.png", "")], /empty/],
    ["too much", [png("a.png", "A".repeat((MAX_ATTACHMENT_BYTES * 4) / 3 + 8))], /10 MB is the limit/],
    ["too much together", [png("a", "A".repeat(8e6)), png("b", "A".repeat(8e6))], /together/],
  ])("refuses %s", (_, input, message) => {
    expect(() => normalizeAttachments(input)).toThrow(AttachmentError);
    expect(() => normalizeAttachments(input)).toThrow(message);
  });
});

describe("stored attachments", () => {
  it("lie under attachments/, for the owner only, and come back as they were", () => {
    const folder = temporaryFolder();
    const [ref] = saveAttachments(folder, [png("my shot.png")]);
    expect(ref).toMatchObject({
      name: "my shot.png",
      mimeType: "image/png",
      size: 3,
      path: expect.stringMatching(/^attachments\/\w+-0-my_shot\.png$/),
    });
    expect(statSync(join(folder, ref?.path ?? "")).mode & 0o777).toBe(0o600);
    expect(readStoredAttachment(folder, ref?.path ?? "")).toEqual({
      name: "my_shot.png",
      mimeType: "image/png",
      size: 3,
      base64: "AAAA",
    });
    expect(saveAttachments(folder, [])).toEqual([]);
    saveAttachments(folder, [png("my shot.png")]);
    expect(readdirSync(join(folder, "attachments"))).toHaveLength(2);
  });

  it.each([
    "../secret",
    "attachments/../secret",
    "attachments/sub/x.png",
    "/etc/passwd",
    "attachments/",
    "attachments/..",
    "secret",
    "attachments/link.png",
    "attachments/missing.png",
    "attachments/folder",
  ])("are not read from %s", (path) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "attachments", "folder"), { recursive: true });
    writeFileSync(join(folder, "secret"), "x");
    symlinkSync(join(folder, "secret"), join(folder, "attachments", "link.png"));
    expect(() => readStoredAttachment(folder, path)).toThrow(AttachmentError);
  });
});

describe("stripAttachments", () => {
  it("leaves the words and takes the bytes", () => {
    const plain = { role: "user" as const, content: "x" };
    const [first, second] = stripAttachments([
      plain,
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:" } },
        ],
      },
    ]);
    expect(first).toBe(plain);
    expect(second?.content).toBe("look");
  });
});
