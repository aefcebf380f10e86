// Guide 17: every turn that changes files is kept and can be taken back.
import { readFileSync } from "node:fs";
import { createDefaultEngine, resolveVcsPlan, SessionVcs } from "@zqagent/core";

const workspace = process.cwd();
const sessionId = "tenant-42-session-7";
const engine = createDefaultEngine({
  workspace,
  defaultApproval: "allow",
  vcs: { mode: "auto", sessionId },
});
for (const prompt of ["Write one", "Only talk", "Write two"]) {
  for await (const event of engine.run(prompt)) if (event.type === "turn_end") console.log(event.data.status);
}

const vcs = new SessionVcs(resolveVcsPlan(workspace, { mode: "auto" }), sessionId);
const turns = await vcs.listTurns();
console.log(turns.map(({ turn, files }) => `${turn} ${files.join(",")}`).join("; "));
const patch = await vcs.diffTurn(2);
console.log(patch.includes("-one"), patch.includes("+two"));
const rehearsal = await vcs.restoreTurn(1, { paths: ["src/app.ts"], dryRun: true });
console.log(JSON.stringify(rehearsal.restored), readFileSync("src/app.ts", "utf8"));
const result = await vcs.restoreTurn(1, {
  paths: ["src/app.ts"],
  dryRun: false,
});
const { restored, overwritten, missing } = result;
console.log(JSON.stringify({ restored, overwritten, missing }), readFileSync("src/app.ts", "utf8"));
await vcs.forget();
console.log((await vcs.listTurns()).length, readFileSync("src/app.ts", "utf8"));
