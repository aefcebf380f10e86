// Guide 8.4: the options of the sandbox; `required` must fail where there is none.
import { createDefaultEngine } from "@zqagent/core";

const workspace = process.cwd();
const engine = createDefaultEngine({
  workspace,
  sandbox: {
    mode: "auto",
    extraWritable: ["/data/cache"],
  },
});
console.log(typeof engine.permissions.sandbox.enforced);
