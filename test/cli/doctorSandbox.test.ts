/** The doctor tries the sandbox, and says what the state of it means for commands. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Check } from "../../src/cli/doctor/check";
import { localChecks } from "../../src/cli/doctor/localChecks";
import { resolveSettings } from "../../src/cli/settings";
import { resolveSandbox, wrapWithSandbox } from "../../src/index";

type Mode = "auto" | "off" | "required";

async function sandboxLine(mode: Mode): Promise<Check | undefined> {
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-doctor-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const given = { prompt: "", print: false, continue: false, allow: [], outputFormat: "text", color: "auto" } as const;
  const env = { ZQAGENT_HOME: join(workspace, "home"), LANG: "en_US.UTF-8" };
  const settings = { ...resolveSettings({ ...given, allow: [], verbose: false }, env), workspace, sandbox: { mode } };
  for await (const check of localChecks(settings)) if (check.name === "sandbox") return check;
  return undefined;
}

test("one that is switched off is a note", async () => {
  expect(await sandboxLine("off")).toMatchObject({ state: "note", text: expect.stringContaining("unconfined") });
});

test.each<[Mode, Check["state"]]>([
  ["auto", "note"],
  ["required", "bad"],
])("%s: what is said is what a real run showed", async (mode, without) => {
  const works = wrapWithSandbox(resolveSandbox({ mode: "auto" }, tmpdir()), ["true"]).length > 1;
  const text = works ? /works: commands write only in this folder/ : /unconfined[\s\S]*bubblewrap/;
  expect(await sandboxLine(mode)).toMatchObject({ state: works ? "good" : without, text: expect.stringMatching(text) });
});
