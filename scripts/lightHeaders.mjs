/**
 * A build plugin. The openai package gathers its headers in a global `Headers`, and naming that loads undici: 30 ms of
 * CPU and 8 MB in each run, for a client whose requests go through node:http anyway. Here its modules get a small class
 * of the same ways (test/package/lightHeaders.test.ts). A version that looks different fails the build.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** The module of the package that is given to the ones below. */
export const HEADERS = String.raw`export class Headers {
  #all = new Map();
  #name(name) {
    if (!/^[!#$%&'*+.^_\x60|~0-9A-Za-z-]+$/.test(name)) throw new TypeError("Invalid header name: " + JSON.stringify(name));
    return name.toLowerCase();
  }
  #value(value) {
    const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    if (/[\0\n\r]|[^\0-\xff]/.test(text)) throw new TypeError("A header's value holds characters that none may hold.");
    return text;
  }
  append(name, value) {
    const key = this.#name(name);
    const text = this.#value(value);
    this.#all.set(key, this.#all.has(key) ? this.#all.get(key) + ", " + text : text);
  }
  set(name, value) {
    this.#all.set(this.#name(name), this.#value(value));
  }
  delete(name) {
    this.#all.delete(this.#name(name));
  }
  get(name) {
    return this.#all.get(this.#name(name)) ?? null;
  }
  has(name) {
    return this.#all.has(this.#name(name));
  }
  entries() {
    return [...this.#all].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  *keys() {
    for (const [name] of this.entries()) yield name;
  }
  *values() {
    for (const [, value] of this.entries()) yield value;
  }
  forEach(work) {
    for (const [name, value] of this.entries()) work(value, name, this);
  }
}
`;

/** One of the package's modules with that `Headers`. Throws where the source is not as expected. */
export function makeLight(source, path) {
  if (!/(new|instanceof) Headers\b/.test(source) || /(class|import|var|const) \{? ?Headers\b/.test(source))
    throw new Error(`${path} is not as expected: scripts/lightHeaders.mjs must be looked at again.`);
  return `import { Headers } from "light-headers";\n${source.replace(/^\/\/# sourceMappingURL=.*$/m, "")}`;
}

export const lightHeaders = {
  name: "light-headers",
  setup(build) {
    build.onResolve({ filter: /^light-headers$/ }, () => ({ path: "light-headers", namespace: "light-headers" }));
    build.onLoad({ filter: /.*/, namespace: "light-headers" }, () => ({ contents: HEADERS, loader: "js" }));
    const modules = /node_modules[\\/]openai[\\/]internal[\\/](headers|utils[\\/]log)\.mjs$/;
    build.onLoad({ filter: modules }, ({ path }) => ({
      contents: makeLight(readFileSync(path, "utf8"), path),
      resolveDir: dirname(path),
      loader: "js",
    }));
  },
};
