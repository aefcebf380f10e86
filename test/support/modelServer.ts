/** Starts a scripted model server for the running test and closes it when the test is over. */
import { onTestFinished } from "vitest";
import { ModelServer, type ModelServerOptions } from "../../src/cli/demo/ModelServer";
import type { Script } from "../../src/cli/demo/script";

export type { ModelRequest, Reply, Script } from "../../src/cli/demo/script";

export interface RunningServer {
  server: ModelServer;
  /** The base URL for a client; ends in `/v1`. */
  url: string;
  port: number;
}

export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<RunningServer> {
  const server = new ModelServer(script, options);
  const { url, port } = await server.start();
  onTestFinished(() => server.close());
  return { server, url, port };
}
