/** How long a turn takes to end once it was asked to, at each of the places where it may be; the last line is JSON. */
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ModelServer } from "../../src/cli/demo/ModelServer";
import type { Reply } from "../../src/cli/demo/script";
import { createDefaultEngine, Mode, OpenAIProvider } from "../../src/index";
import type { WsEvent } from "../../src/shared/events";

const rounds = Number(process.argv[2] ?? "5");
const workspace = mkdtempSync(join(tmpdir(), "zqagent-bench-interrupt-"));
const slow = { OPENAI_API_KEY: "bench", NETWORK_RETRY_BASE_MS: "60000", OPENAI_TIMEOUT_MS: "60000" };

interface Stage {
  url: string;
  /** True for the event at which the turn is stopped; a server may do it instead. */
  at(event: WsEvent): boolean;
  /** Resolves when the server has seen what the turn is to be stopped at. */
  seen?(): Promise<unknown>;
}

/** Milliseconds from the request to stop to the end of the turn. */
async function latency({ url, at, seen }: Stage): Promise<number> {
  const provider = new OpenAIProvider({ baseURL: url, env: slow });
  const engine = createDefaultEngine({ workspace, provider, model: "scripted", mode: Mode.AUTO, shellPolicy: "all" });
  let asked = Number.NaN;
  const stop = () => {
    if (!Number.isNaN(asked)) return;
    asked = performance.now();
    engine.requestInterrupt();
  };
  void seen?.().then(stop);
  let status = "";
  for await (const event of engine.run("go")) {
    if (at(event)) stop();
    if (event.type === "turn_end") status = String(event.data["status"]);
  }
  const took = performance.now() - asked;
  await engine.dispose();
  if (status !== "interrupted") throw new Error(`The turn at ${url} ended as ${status}.`);
  return took;
}

const never = () => false;
const ofType = (type: string) => (event: WsEvent) => event.type === type;

/** A model that gives one reply for ever. */
async function scripted(reply: Reply, stage: (server: ModelServer) => Omit<Stage, "url">): Promise<number> {
  const server = new ModelServer(() => reply);
  const { url } = await server.start();
  try {
    return await latency({ url, ...stage(server) });
  } finally {
    await server.close();
  }
}

/** Takes the connection and says nothing: the TLS handshake never ends. */
async function atConnect(): Promise<number> {
  const server: Server = createServer();
  const taken = new Promise((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    return await latency({ url, at: never, seen: () => taken });
  } finally {
    server.close();
  }
}

const shell = (command: string): Reply => ({ calls: [{ name: "run_shell", args: { command } }] });
const busy = { status: 503, body: { error: { message: "Busy" } } };

const stages: Record<string, () => Promise<number>> = {
  connect: atConnect,
  headers: () =>
    scripted({ fault: "hang-before-headers" }, (server) => ({ at: never, seen: () => server.waitForRequest(1) })),
  body: () => scripted({ text: "Some words. ".repeat(20), fault: "hang" }, () => ({ at: ofType("assistant_delta") })),
  "back-off": () => scripted(busy, () => ({ at: ofType("llm_retry") })),
  run_shell: () => scripted(shell("echo up; sleep 1000"), () => ({ at: ofType("tool_output") })),
  "run_shell with children": () =>
    scripted(shell("sleep 1000 & sleep 1000 | cat & echo up; wait"), () => ({ at: ofType("tool_output") })),
};

const found: Record<string, number[]> = Object.fromEntries(Object.keys(stages).map((name) => [name, []]));
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, run] of Object.entries(stages)) {
    const took = await run();
    if (round > 0) found[name]?.push(took);
  }
}
rmSync(workspace, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
