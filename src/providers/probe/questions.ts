/** The tiny questions of a probe: each as small as it can be and still be answered in one way only. */

import type { ToolSchema } from "../../shared/contracts";
import type { Message, ToolCall } from "../../shared/messages";

/** Red, 8 × 8 pixels. */
const RED_SQUARE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";

export const SYSTEM: Message = { role: "system", content: "This is a connection test. Answer as briefly as you can." };

export const GREETING: Message[] = [SYSTEM, { role: "user", content: "Answer with the word ok." }];

export const PICTURE: Message[] = [
  SYSTEM,
  {
    role: "user",
    content: [
      { type: "text", text: "Which colour has this square? One word." },
      { type: "image_url", image_url: { url: RED_SQUARE } },
    ],
  },
];

export const TOOLS: ToolSchema[] = [
  {
    type: "function",
    function: {
      name: "read_file",
      description: "Reads a file.",
      parameters: {
        type: "object",
        properties: { path: { type: "string", description: "The file's path." } },
        required: ["path"],
      },
    },
  },
];

/** The same, and one described as servers of tools describe theirs: unions, several types, no type. */
export const ODD_TOOLS: ToolSchema[] = [
  ...TOOLS,
  {
    type: "function",
    function: {
      name: "note",
      description: "Keeps a note.",
      parameters: {
        properties: {
          text: { description: "The note." },
          tag: { type: "string", anyOf: [{ type: "string" }, { type: "null" }] },
          line: { type: ["integer", "null"] },
        },
        anyOf: [{ required: ["text"] }, { required: ["tag"] }],
      },
    },
  },
];

export const TWO_FILES: Message[] = [
  SYSTEM,
  {
    role: "user",
    content: "Call read_file for a.txt and for b.txt, both in one reply, and say nothing else before you have them.",
  },
];

/** The conversation with the calls answered. */
export function answered(reply: { text: string; reasoning: string; details: unknown[]; calls: ToolCall[] }): Message[] {
  const { text, reasoning, details, calls } = reply;
  const assistant: Message = {
    role: "assistant",
    content: text === "" ? null : text,
    tool_calls: calls,
    ...(reasoning === "" ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
  const results = calls.map((call): Message => ({ role: "tool", tool_call_id: call.id, content: "empty" }));
  return [...TWO_FILES, assistant, ...results];
}

/** The same where the model made no calls: what a history with calls looks like can still be asked. */
export const MADE_UP: Message[] = answered({
  text: "",
  reasoning: "",
  details: [],
  calls: [{ id: "call_0123456789", type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } }],
});
