/** Changes keys of `~/.zqagent/config.json`: whole or not at all, readable by its owner alone, one writer at a time. */

import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../shared/fileLock";
import type { Texts } from "../shared/locales";
import { readUserConfig, type UserConfig } from "./userConfig";

/** Other keys stay as they are. Throws UsageError when the file cannot be read: nothing is overwritten then. */
export async function writeUserConfig(home: string, change: Partial<UserConfig>, texts: Texts): Promise<void> {
  // Made first and for its owner alone: conf would make it with mode 755.
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  const { default: Conf } = await import("conf");
  await withFileLock(join(home, "config.json"), () => {
    readUserConfig(home, texts);
    const store = new Conf<Record<string, unknown>>({
      cwd: home,
      configName: "config",
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    store.set({ ...change });
  });
}
