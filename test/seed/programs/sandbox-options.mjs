// Guide 8.4: the options of the sandbox, and what the permission engine knows of it.
import { createDefaultEngine } from "@zqagent/core";

const workspace = process.cwd();
const engine = createDefaultEngine({
  workspace,
  sandbox: {
    mode: "auto",
    extraWritable: ["/data/cache"],
  },
});
console.log(engine.permissions.sandbox.mode, typeof engine.permissions.sandbox.enforced);
