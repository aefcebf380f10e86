/**
 * A build plugin. The client of the openai package brings a class for each part of the API (files, images, fine-tuning …),
 * all made with each client; zqagent sends its requests by `client.post` and reads replies itself. Left empty in the
 * bundle, they cost nothing: a third of the package's weight and of the time to load it. What the client itself does
 * (headers, query, timeouts, aborts) stays the package's own. A resource that is used after all fails at its first call.
 */
import { readFileSync } from "node:fs";

/** The names that a resource module exports, as empty classes; modules that only hand on names stay as they are. */
export function makeEmpty(source) {
  const own = [...source.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  if (own.length === 0) return source;
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list.split(","));
  const handedOn = lists.map((entry) => entry.trim().split(" as ").at(-1)).filter((name) => name !== "");
  const names = [...new Set([...own, ...handedOn])];
  return names.map((name) => `export class ${name} {}`).join("\n");
}

export const lightResources = {
  name: "light-resources",
  setup(build) {
    build.onLoad({ filter: /node_modules[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, ({ path }) => ({
      contents: makeEmpty(readFileSync(path, "utf8")),
      loader: "js",
    }));
  },
};
