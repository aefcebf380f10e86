// Guide 10.1: the built-in provider with an audit log.
import { readdirSync } from "node:fs";
import { createDefaultEngine, OpenAIProvider } from "@zqagent/core";

const logDir = `${process.cwd()}/llm-log`;
const provider = new OpenAIProvider({
  apiKey: process.env.OPENAI_API_KEY,
  baseURL: process.env.OPENAI_BASE_URL,
  logDir,
});

const engine = createDefaultEngine({ workspace: process.cwd(), provider });
for await (const { type, data } of engine.run("Hello")) if (type === "assistant_message") console.log(data.text);
await provider.settled();
const files = /** @type {string[]} */ (readdirSync(logDir, { recursive: true }));
console.log(
  files.some((name) => /\d{4}-\d{2}-\d{2}/.test(name)),
  files.length > 1,
);
