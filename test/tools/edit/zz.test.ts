import { it } from "vitest";
import { readFileSync, writeFileSync, openSync, fsyncSync, closeSync, renameSync } from "node:fs";
import { createBench } from "./support";
it("50MB", async () => {
  const b = createBench({ guarded: process.env.G !== "0" });
  const line = "hello world this is a line of text 你好\n".replace("你好", process.env.CJK ? "你好" : "ok");
  const n = 50 * 1024 * 1024; const body = line.repeat(Math.floor(n / 2 / Buffer.byteLength(line)));
  const text = body + "UNIQUE marker\n" + body;
  b.write("big", process.env.CRLF ? text.replaceAll("\n", "\r\n") : text);
  await b.read("big");
  for (let k = 0; k < 3; k++) {
    let t = performance.now();
    const buf = readFileSync(b.path("big")); const fd = openSync(b.path("plain"), "w"); writeFileSync(fd, buf); fsyncSync(fd); closeSync(fd); renameSync(b.path("plain"), b.path("plain2"));
    const plain = performance.now() - t;
    t = performance.now();
    const r = await b.call("replace_in_file", { path: "big", old_string: k % 2 ? "UNIQUE mark\n" : "UNIQUE marker\n", new_string: k % 2 ? "UNIQUE marker\n" : "UNIQUE mark\n" });
    const mine = performance.now() - t;
    console.log(r.status, r.content.slice(0, 80), { plain, mine, ratio: mine / plain, rss: process.memoryUsage().rss / 1e6 });
  }
  let t = performance.now();
  let r = await b.call("replace_in_file", { path: "big", old_string: "no such thing\nat all", new_string: "x" });
  console.log("miss", performance.now() - t, r.content.slice(0, 200));
  t = performance.now();
  r = await b.call("apply_unified_diff", { diff: `--- a/big\n+++ b/big\n@@ -5,2 +5,2 @@\n ${line}-UNIQUE mark\n+UNIQUE x\n` });
  console.log("diff", performance.now() - t, r.content.slice(0, 200));
  t = performance.now();
  r = await b.call("replace_in_file", { path: "big", old_string: "hello", new_string: "bye", replace_all: true });
  console.log("all", performance.now() - t, r.content.slice(0, 200), process.memoryUsage().rss / 1e6);
  t = performance.now();
  r = await b.call("write_file", { path: "big", content: b.text("big").replaceAll("bye", "hello") });
  console.log("write", performance.now() - t, r.content.slice(0, 200), process.memoryUsage().rss / 1e6);
  b.remove();
});
