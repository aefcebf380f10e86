// Guide 13: checked, stored, sent in their own turn only, read back.
import {
  ATTACHMENT_DIR,
  AttachmentError,
  createDefaultEngine,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  normalizeAttachments,
  readStoredAttachment,
  saveAttachments,
  stripAttachments,
} from "@zqagent/core";

/** @typedef {import("@zqagent/core").MessageAttachment} MessageAttachment */
/** @typedef {import("@zqagent/core").StoredAttachment} StoredAttachment */

console.log(MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES, ATTACHMENT_DIR);
const sessionDir = `${process.cwd()}/session`;
const rawInput = [{ name: "shot.png", mimeType: "image/png", dataUrl: "data:image/png;base64,iVBORw0KGgo=" }];
const text = "What is this?";
const taskId = "task-1";

/** @type {MessageAttachment[]} */
const attachments = normalizeAttachments(rawInput) ?? [];

/** @type {StoredAttachment[]} */
const refs = saveAttachments(sessionDir, attachments);

const engine = createDefaultEngine({ workspace: process.cwd(), model: "gpt-4o" });
for await (const e of engine.run(text, taskId, attachments, refs)) {
  if (e.type === "turn_start")
    console.log(e.data.taskId, e.data.attachmentCount, JSON.stringify(e.data.attachments) === JSON.stringify(refs));
}
for await (const e of engine.run("And now?")) if (e.type === "turn_end") console.log(e.data.status);

for (const ref of refs) {
  const { name, mimeType, size, base64 } = readStoredAttachment(sessionDir, ref.path);
  console.log(name, mimeType, size, base64);
}
console.log(JSON.stringify(stripAttachments(engine.messages)).includes("base64"));
for (const attempt of [
  () => readStoredAttachment(sessionDir, "attachments/../secret"),
  () => readStoredAttachment(sessionDir, "attachments/sub/file.png"),
  () => normalizeAttachments([{ name: "page.html", mimeType: "text/html", dataUrl: "data:text/html;base64,PGI+" }]),
  () => normalizeAttachments(Array.from({ length: 5 }, () => rawInput[0])),
]) {
  try {
    attempt();
  } catch (error) {
    console.log(error instanceof AttachmentError);
  }
}
