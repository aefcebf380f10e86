/** Loaded with `--require`: writes the process's largest memory in kilobytes into the file named by ZQBENCH_PEAK. */
const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.ZQBENCH_PEAK, String(process.resourceUsage().maxRSS)));
