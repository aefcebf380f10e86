/** The same job as least.mjs by the library's provider; `bench/provider.ts` bundles it as the package is bundled. */
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";

const [url = "", requests = "1"] = process.argv.slice(2);
const provider = new OpenAIProvider({ apiKey: "bench", baseURL: url, apiMode: "chat" });
for (let round = 0; round < Number(requests); round += 1) {
  let text = "";
  const opts = { reqId: "r", logTime: new Date().toISOString() };
  for await (const chunk of await provider.stream("m", [{ role: "user", content: "go" }], [], opts))
    text += chunk.content ?? "";
  if (!text) throw new Error("no text");
}
