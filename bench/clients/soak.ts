/** A thousand turns over a failing wire, in a process of its own with `--expose-gc`; the last line is the report as JSON. */
import { soak } from "../../test/support/soak";

const [turns = "1000", seed = "1"] = process.argv.slice(2);
const collect = (globalThis as { gc?: () => void }).gc;

const take = () => {
  collect?.();
  return process.memoryUsage().heapUsed;
};
const report = await soak({ turns: Number(turns), seed: Number(seed), heap: { every: Number(turns) / 10, take } });
process.stdout.write(`${JSON.stringify(report)}\n`);
