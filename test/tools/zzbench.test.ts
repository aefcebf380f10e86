import { test } from "vitest";
import { execFileSync, spawnSync } from "node:child_process";
import { WorkspaceRoots } from "../../src/shared/paths";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerSearchTool } from "../../src/tools/search";
import { registerReadOnlyFileTools } from "../../src/tools/fs";
import { findRipgrep } from "../../src/tools/search/ripgrep";
test("b", async () => {
  const root = "/tmp/tree100k"; const rg = (await findRipgrep(root))!;
  const reg = new ToolRegistry(); registerSearchTool(reg, root); registerReadOnlyFileTools(reg, root);
  const w = new ToolRegistry(); registerSearchTool(w, root, { ripgrep: null });
  const t = async (name: string, f: () => unknown, n = 4) => { const r: number[] = []; let out: unknown; for (let i=0;i<n;i++){ const s=performance.now(); out = await f(); r.push(Math.round(performance.now()-s)); } console.log(name, r.join(" "), String(out).slice(-120).replace(/\n/g,"|"), Math.round(process.memoryUsage().rss/1e6)+"MB"); };
  for (let k=0;k<2;k++) {
  await t("bare rg", () => spawnSync(rg, ["needleword", root]).stdout.length);
  await t("bare rg hidden", () => spawnSync(rg, ["--hidden","--threads","4","needleword", root]).stdout.length);
  await t("tool", async () => (await reg.call("grep", { pattern: "needleword", context: 0 })).content);
  }
  await t("tool ctx", async () => (await reg.call("grep", { pattern: "needleword" })).content);
  await t("tool files", async () => (await reg.call("grep", { pattern: "export", mode: "files" })).content, 2);
  await t("tool many", async () => (await reg.call("grep", { pattern: "export" })).content, 2);
  await t("tool none", async () => (await reg.call("grep", { pattern: "nothinglikeit" })).content, 2);
  await t("walker", async () => (await w.call("grep", { pattern: "needleword", context: 0 })).content, 2);
  await t("list", async () => (await reg.call("list_files", {})).content, 2);
  await t("find", async () => (await reg.call("list_files", { pattern: "file99.ts" })).content, 2);
  await t("find all", async () => (await reg.call("list_files", { pattern: "*.ts" })).content, 2);
}, 300000);
