/** What the provider costs against the least program over node:http: the first request, and each streamed megabyte. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { ModelServer } from "../src/cli/demo/ModelServer";
import { bundled } from "./bundle";
import { type Figure, interleaved, surroundings, timed } from "./figures";

const clients = join(import.meta.dirname, "clients");
const LINE = "The quick brown fox jumps over the lazy dog. ";
/** A reply of 201 chunks, and one that is four megabytes on the wire. */
const SHORT = LINE.repeat(107);
const LONG = LINE.repeat(11_000);
const LONG_REQUESTS = 4;

export async function measureProvider(runs: number): Promise<Figure[]> {
  let text = SHORT;
  const server = new ModelServer(() => ({ text }));
  const { url } = await server.start();
  const place = surroundings(url);
  const folder = await bundled("provider");
  const programs = { least: join(clients, "least.mjs"), provider: join(folder, "provider.mjs") };
  const run = (name: keyof typeof programs, requests: number, reply: string) => () => {
    text = reply;
    server.requests.length = 0;
    return timed([process.execPath, programs[name], url, String(requests)], place);
  };
  try {
    const result = await interleaved(
      {
        leastFirst: run("least", 1, SHORT),
        ourFirst: run("provider", 1, SHORT),
        leastLong: run("least", LONG_REQUESTS, LONG),
        ourLong: run("provider", LONG_REQUESTS, LONG),
      },
      runs,
    );
    const perMegabyte = (result.ourLong.cpu - result.ourFirst.cpu) / (result.leastLong.cpu - result.leastFirst.cpu);
    const unit = "× least program";
    return [
      { name: "first streamed request, CPU", value: result.ourFirst.cpu / result.leastFirst.cpu, unit, goal: 1.7 },
      { name: "each streamed megabyte, CPU", value: perMegabyte, unit, goal: 3 },
    ];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
