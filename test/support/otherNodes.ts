/** Other lines of Node to try the build on, as paths in ZQAGENT_NODE_BINARIES (`.ci/run` gives them); none by default. */
import { delimiter } from "node:path";

export const otherNodes = (process.env.ZQAGENT_NODE_BINARIES ?? "").split(delimiter).filter((path) => path !== "");
