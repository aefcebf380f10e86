/** Starts the scripted model of the loops as a process of its own and asks it for its figures. */

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundle";

export interface LoopFigures {
  /** Milliseconds from the end of a reply to the arrival of the next request, both on the server's clock. */
  gaps: number[];
  /** Requests in which the text of the file just read was found. */
  resultsBack: number;
  /** Of the newest request. */
  requestBytes: number;
}

export class LoopServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly origin: string,
  ) {}

  static async start(): Promise<LoopServer> {
    const folder = await bundled("loopServer");
    const child = spawn(process.execPath, [join(folder, "loopServer.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
      child.once("exit", () => reject(new Error("The scripted model ended before it listened.")));
    });
    return new LoopServer(child, folder, `http://127.0.0.1:${port}`);
  }

  get url(): string {
    return `${this.origin}/v1`;
  }

  /** So many reads from now on, then a text. */
  async script(steps: number): Promise<void> {
    await fetch(`${this.origin}/script?steps=${steps}`);
  }

  async figures(): Promise<LoopFigures> {
    return (await (await fetch(`${this.origin}/figures`)).json()) as LoopFigures;
  }

  close(): void {
    this.child.stdin?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
