/** `zqagent demo`: the whole product with no key and no network, on a sample project that goes away again. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTerminal } from "../isTerminal";
import type { RunOptions } from "../program";
import { resolveSettings, type Settings } from "../settings";
import { ModelServer } from "./ModelServer";
import { createSampleProject } from "./sampleProject";
import { demoStory } from "./story";

/** Milliseconds between two deltas: slow enough to be seen streaming. */
const PACE_MS = 12;

/** On a terminal the real screen; without one it runs through and prints the transcript. */
export async function runDemo(options: RunOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-demo-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  const workspace = join(folder, "corner-shop");
  mkdirSync(workspace);
  createSampleProject(workspace);
  const { texts, lang, notify, screenReader } = resolveSettings(options);
  const isScreen = isTerminal() && !screenReader;
  const server = new ModelServer(demoStory(texts.demo, isScreen ? PACE_MS : 0), {
    side: [{ text: texts.demo.sessionName }],
  });
  const { url } = await server.start();
  const settings: Settings = {
    workspace,
    home: join(folder, "home"),
    lang,
    texts,
    apiKey: "demo",
    baseUrl: url,
    model: "demo",
    named: {},
    agent: "code",
    allow: [],
    vcs: "auto",
    sandbox: { mode: "auto" },
    notify,
    screenReader,
    verbose: options.verbose,
    ...(isScreen ? {} : { mode: "auto" as const }),
  };
  try {
    if (!isScreen) return await (await import("./transcript")).printTranscript(settings);
    const { runScreen } = await import("../screen");
    const code = await runScreen(settings, {
      choice: { kind: "new" },
      prompt: texts.demo.prompt,
      color: options.color,
    });
    process.stdout.write(`${texts.demo.goodbye}\n`);
    return code;
  } finally {
    await server.close();
    removeFolder();
  }
}
