/** Empties dist (both builds share it) and runs tsup. */
import { rmSync } from "node:fs";
import { build } from "tsup";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
await build({ config: "tsup.config.ts" });
