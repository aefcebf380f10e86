#!/usr/bin/env node
import module from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `zqagent needs Node.js 20.19 or newer; this is ${process.version}. Install a newer Node.js and try again.`,
  );
  process.exit(2);
}
module.enableCompileCache?.();
await import("../dist/cli/main.js");
