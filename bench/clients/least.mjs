/** The least program that does the job: one streamed Chat request over node:http, its text put together. */
import { request } from "node:http";
import { StringDecoder } from "node:string_decoder";

const [url, requests = "1"] = process.argv.slice(2);
for (let round = 0; round < Number(requests); round += 1) await ask();

function ask() {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "go" }] });
    const headers = { "content-type": "application/json", authorization: "Bearer bench" };
    const sent = request(`${url}/chat/completions`, { method: "POST", headers }, (incoming) => {
      const decoder = new StringDecoder("utf8");
      let rest = "";
      let text = "";
      incoming.on("data", (bytes) => {
        const lines = (rest + decoder.write(bytes)).split("\n");
        rest = lines.pop();
        for (const line of lines) {
          if (!line.startsWith("data: {")) continue;
          text += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? "";
        }
      });
      incoming.on("end", () => (text ? resolve(text) : reject(new Error("no text"))));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
