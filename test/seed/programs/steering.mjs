// Guide 12.5: words that reach the model between two steps, with a picture; one is taken back in time.
import { createDefaultEngine, normalizeAttachments, saveAttachments } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd() });
const attachments = normalizeAttachments([
  { name: "shot.png", mimeType: "image/png", dataUrl: "data:image/png;base64,iVBORw0KGgo=" },
]);
const refs = saveAttachments(`${process.cwd()}/session`, attachments ?? []);
for await (const event of engine.run("Read the README")) {
  if (event.type === "tool_started") {
    engine.queueSteering("Also run the tests");
    engine.queueSteering("Leave dist alone", attachments, refs);
    engine.queueSteering("Never mind");
    console.log("taken back", engine.removeSteering("Never mind"));
  }
  if (event.type === "queue_steering") {
    console.log(event.data.text, JSON.stringify(event.data.attachments ?? null)?.replace(/attachments\/[^"]+/, "PATH"));
    console.log("too late", engine.removeSteering(String(event.data.text)));
  }
}
