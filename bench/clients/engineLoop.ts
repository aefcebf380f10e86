/** One turn by the bare library with its log, no command around it: what a host that embeds the engine pays. */
import { join } from "node:path";
import { createDefaultEngine, FileLogHook, Mode } from "../../src/index";

const [workspace = "", stateDir = ""] = process.argv.slice(2);
const log = new FileLogHook("bench", join(stateDir, "sessions"));
const engine = createDefaultEngine({ workspace, mode: Mode.AUTO, hook: log, maxIterations: 2_000 });
let status = "";
for await (const event of engine.run("Read all the notes.")) {
  if (event.type === "turn_end") status = String(event.data["status"]);
}
log.saveState(engine);
log.close();
await engine.dispose();
process.exit(status === "completed" ? 0 : 1);
