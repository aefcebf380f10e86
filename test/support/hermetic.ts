/** Every test file starts with its own HOME and without the developer's keys, proxies or git settings. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const home = mkdtempSync(join(tmpdir(), "zqagent-test-home-"));
for (const name of Object.keys(process.env)) {
  if (
    /^(OPENAI_|ZQAGENT_(?!NODE_BINARIES$)|GIT_|COMPACTION_|TOOL_RESULT_|NETWORK_RETRY_|SOCKS5_PROXY$|HTTPS?_PROXY$|https?_proxy$)/.test(
      name,
    )
  )
    delete process.env[name];
}
process.env.HOME = home;
process.env.ZQAGENT_HOME = join(home, ".zqagent");
process.env.GIT_CONFIG_NOSYSTEM = "1";
process.env.GIT_CONFIG_GLOBAL = join(home, ".gitconfig");
afterAll(() => rmSync(home, { recursive: true, force: true }));
