/** The demo without a terminal: the same turn, printed as it goes. */

import { plainText, visibleText } from "../../render/sanitize";
import { isEvent, type WsEvent } from "../../shared/events";
import { ExitCode } from "../exitCodes";
import { openSession } from "../openSession";
import { argumentLine } from "../pipedOutput";
import type { Settings } from "../settings";

export async function printTranscript(settings: Settings): Promise<number> {
  const { demo } = settings.texts;
  const session = await openSession(settings, { kind: "new" });
  let succeeded = false;
  say(`${demo.transcriptHead}\n❯ ${demo.prompt}\n`);
  try {
    for await (const event of session.run(demo.prompt)) {
      show(event);
      if (isEvent(event, "turn_end")) succeeded = event.data.status === "completed";
    }
    const diff = await session.diff();
    if (diff !== "") say(`❯ /diff\n\n${plainText(diff).trimEnd()}\n`);
  } finally {
    await session.close();
  }
  say(demo.transcriptTail);
  return succeeded ? ExitCode.COMPLETED : ExitCode.ERROR;
}

function show(event: WsEvent): void {
  if (isEvent(event, "assistant_message") && event.data.text !== "") say(`${plainText(event.data.text)}\n`);
  else if (isEvent(event, "tool_proposed")) say(`● ${event.data.name} ${argumentLine(event.data.arguments)}`);
  else if (isEvent(event, "tool_finished")) {
    const preview = plainText(event.data.result_preview ?? "")
      .trimEnd()
      .split("\n");
    const shown = preview.length > 12 ? [`… (${preview.length - 12} lines before)`, ...preview.slice(-12)] : preview;
    say(`${shown.map((line) => `  │ ${line}`).join("\n")}\n`);
  } else if (isEvent(event, "error")) say(visibleText(event.data.error));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
