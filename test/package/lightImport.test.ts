/** `import "zqagent"` must stay light: what its file pulls in at once holds nothing of the screen or the command. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { DIST, SUB_PATHS } from "./packed";

/** A text that only this library's own source has; minifying keeps it. */
const marks: Record<string, string> = {
  react: "react.transitional.element",
  ink: "ink-root",
  commander: "commander.unknownOption",
};
/** Not built in at present; it would be seen by this. */
const absent = { conf: "Config schema violation:" };

/** The built files that are loaded together with `file`, itself included. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  // `import(` is late and `require(` of a chunk does not occur in ESM, so both forms of the static import are enough.
  for (const [, target] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g)) {
    if (target !== undefined) loadedWith(join(dirname(file), target), seen);
  }
  return seen;
}

test("the marks are those of the libraries as they are built in", () => {
  const all = readdirSync(DIST).filter((name) => name.endsWith(".js"));
  const text = all.map((name) => readFileSync(join(DIST, name), "utf8")).join("\n");
  for (const [library, mark] of Object.entries(marks)) expect(text.includes(mark), library).toBe(true);
});

test.each(["index", ...SUB_PATHS])("%s loads no chunk of ink, react, commander or conf", (entry) => {
  const files = [...loadedWith(join(DIST, `${entry}.js`))];
  expect(files.length).toBeGreaterThan(entry === "index" ? 3 : 0);
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const [library, mark] of Object.entries({ ...marks, ...absent }))
      expect(text.includes(mark), `${library} in ${file}`).toBe(false);
  }
});
