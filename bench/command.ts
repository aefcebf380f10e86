/** What the command costs without a screen, against an empty Node process in the same run. */

import { join } from "node:path";
import { ModelServer } from "../src/cli/demo/ModelServer";
import { type Figure, interleaved, surroundings, timed } from "./figures";

const bin = join(import.meta.dirname, "..", "bin", "zqagent.js");
const EMPTY = [process.execPath, "-e", "0"];

export async function measureVersion(runs: number): Promise<Figure[]> {
  const place = surroundings("http://127.0.0.1:9/v1");
  const result = await interleaved(
    {
      empty: () => timed(EMPTY, place),
      version: () => timed([process.execPath, bin, "--version"], place),
    },
    runs,
  );
  return [{ name: "--version, CPU", value: result.version.cpu / result.empty.cpu, unit: "× node -e 0", goal: 1.5 }];
}

export async function measurePipedTurn(runs: number): Promise<Figure[]> {
  const server = new ModelServer(() => ({ text: "A short answer." }));
  const { url } = await server.start();
  const place = surroundings(url);
  try {
    const result = await interleaved(
      {
        empty: () => timed(EMPTY, place),
        turn: () => timed([process.execPath, bin, "-p", "Say something.", "--mode", "auto"], place),
      },
      runs,
    );
    return [
      { name: "one piped turn, CPU", value: result.turn.cpu / result.empty.cpu, unit: "× node -e 0", goal: 8.3 },
      { name: "one piped turn, wall", value: result.turn.wall / result.empty.wall, unit: "× node -e 0", goal: 10 },
    ];
  } finally {
    await server.close();
  }
}
