/** A loopback server that stands in for the public web: names resolve as told, connections are written down. */
import { createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type AddressInfo, connect, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import type { WebToolOptions } from "../../src/tools/web";
import { registerWebTools } from "../../src/tools/web";
import { callers, type ToolBench } from "./toolBench";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server on 127.0.0.1 for the running test. */
export async function listen(handler: Handler): Promise<number> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

type Dial = { host?: string; port?: number; lookup?: LookupFunction };

/** Connects to the stand-in whatever the address, and notes the addresses that would have been tried. */
class StandInAgent extends HttpAgent {
  constructor(
    private readonly port: number,
    private readonly contacted: string[],
  ) {
    super({ keepAlive: false });
  }

  override createConnection(options: Dial, done?: (error: Error | null, stream: Duplex) => void): undefined {
    const open = (addresses: string[]) => {
      this.contacted.push(...addresses);
      const socket: Socket = connect(this.port, "127.0.0.1");
      done?.(null, socket);
    };
    const host = options.host ?? "";
    if (!options.lookup) return void open([host]);
    options.lookup(host, { all: true }, (error, found) => {
      if (error) done?.(error, undefined as unknown as Duplex);
      else open((found as { address: string }[]).map(({ address }) => address));
    });
  }
}

export interface WebStage extends Pick<ToolBench, "call" | "text" | "error"> {
  registry: ToolRegistry;
  /** Addresses that connections went to, in order. */
  contacted: string[];
  /** Names that were looked up. */
  lookedUp: string[];
}

export interface StageOptions extends Omit<WebToolOptions, "agents" | "resolve"> {
  /** What names resolve to: always the same, or something else each time. Others do not exist. */
  names?: Record<string, string[] | string[][]>;
}

export async function webStage(handler: Handler, { names = {}, ...options }: StageOptions = {}): Promise<WebStage> {
  const port = await listen(handler);
  const contacted: string[] = [];
  const lookedUp: string[] = [];
  const resolve = async (host: string) => {
    lookedUp.push(host);
    const known = names[host] ?? [];
    const turn = Math.min(lookedUp.filter((name) => name === host).length, known.length) - 1;
    return (Array.isArray(known[0]) ? known[turn] : known) as string[];
  };
  const registry = new ToolRegistry();
  const agents = { http: new StandInAgent(port, contacted), https: new HttpsAgent() };
  registerWebTools(registry, undefined, { env: {}, ...options, resolve, agents });
  return { registry, contacted, lookedUp, ...callers(registry) };
}

/** A page at `http://public.example/…`, and what web_fetch makes of it. */
export async function fetched(
  reply: Handler,
  args: Record<string, unknown> = {},
  options: StageOptions = {},
): Promise<string> {
  const stage = await webStage(reply, { names: PUBLIC, ...options });
  return stage.text("web_fetch", { url: "http://public.example/docs/page", ...args });
}

export const PUBLIC = { "public.example": ["93.184.216.34"] };
