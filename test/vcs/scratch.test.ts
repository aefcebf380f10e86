import { test } from "vitest";
import { createBench } from "./repository";
import { resolveVcsPlan } from "../../src/vcs/plan";
import { SessionVcs } from "../../src/vcs/SessionVcs";
test("x", async () => {
  const b = createBench(); process.env.HOME = b.env.HOME;
  b.sh("git init -q -b main; echo 1 > a; git add -A; git commit -qm x; mkdir pkg; echo p > pkg/p");
  const v = new SessionVcs(resolveVcsPlan(b.root+"/pkg", { mode: "auto" }), "s1", { onNotice: (t) => console.log("NOTICE", t) });
  await v.beginTurn("p"); b.sh("echo 2 > pkg/p"); console.log(await v.commitTurn("completed"));
  console.log(await v.listSnapshots());
  b.dispose();
});
