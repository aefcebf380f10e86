/** Changes keys of `~/.zqagent/config.json`: whole or not at all, readable by its owner alone, one writer at a time. */

import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../shared/fileLock";
import { writeFileAtomicSync } from "../shared/files";
import type { Texts } from "../shared/locales";
import { readUserConfig, type UserConfig } from "./userConfig";

/** Other keys stay as they are. Throws UsageError when the file cannot be read: nothing is overwritten then. */
export async function writeUserConfig(home: string, change: Partial<UserConfig>, texts: Texts): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  const path = join(home, "config.json");
  await withFileLock(path, () => {
    const config = { ...readUserConfig(home, texts), ...change };
    writeFileAtomicSync(path, `${JSON.stringify(config, null, 2)}\n`, 0o600);
  });
}
