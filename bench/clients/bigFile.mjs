/** One job on one big file, measured from within: `bigFile.mjs <package> <job> <file> <byte of the line to change>`. */
import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [library, job, path, place] = process.argv.slice(2);
/** One of them stands in the file, and is changed to the other: so every run finds the same work. */
const LINES = ["const wanted = 1;\n", "const wanted = 2;\n"];
const [OLD, NEW] = lineThere() === LINES[0] ? LINES : LINES.toReversed();
const PAGE = 200;
const DEEP = 300_000;

function lineThere() {
  const line = Buffer.alloc(LINES[0].length);
  const file = openSync(path);
  readSync(file, line, 0, line.length, Number(place));
  closeSync(file);
  return line.toString();
}

/** The least programs that do the same, none of which looks twice. */
const plain = {
  plainBytes: () => {
    const bytes = readFileSync(path);
    const at = bytes.indexOf(OLD);
    replaceFile([bytes.subarray(0, at), Buffer.from(NEW), bytes.subarray(at + OLD.length)]);
  },
  plainText: () => replaceFile([readFileSync(path, "utf8").replace(OLD, () => NEW)]),
  readBytes: () => readFileSync(path),
  readText: () => readFileSync(path, "utf8").split("\n").slice(-PAGE).join("\n"),
};

/** As a careful program does it: never half a file, and on disk before it takes the old one's place. */
function replaceFile(pieces) {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w");
  for (const piece of pieces) {
    if (typeof piece === "string") writeFileSync(file, piece);
    else for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
  }
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
}

/** The jobs by the package's tools. */
async function tools() {
  const { ToolRegistry, registerFileTools, registerDiffTools } = await import(pathToFileURL(library).href);
  const registry = new ToolRegistry();
  registerFileTools(registry, dirname(path));
  registerDiffTools(registry, dirname(path));
  const call = async (tool, args) => {
    const { status, content } = await registry.call(tool, args);
    if (status === "error" || /"error_type"/.test(content)) throw new Error(content);
  };
  const patch = (file) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-${OLD}+${NEW}*** End Patch`;
  return {
    replace: (file) => call("replace_in_file", { path: file, old_string: OLD, new_string: NEW }),
    patch: (file) => call("apply_patch", { patch: patch(file) }),
    page: (file) => call("read_file", { path: file, offset: 1, limit: PAGE }),
    deepPage: (file) => call("read_file", { path: file, offset: file === "small.txt" ? 1 : DEEP, limit: PAGE }),
    lastPage: (file) => call("read_file", { path: file, offset: -PAGE, limit: PAGE }),
  };
}

/** Ours runs as in a session: the same tool has been called before, on a small file. */
async function prepared() {
  if (job in plain) return plain[job];
  const run = (await tools())[job];
  writeFileSync(join(dirname(path), "small.txt"), `one\n${OLD}three\n`);
  await run("small.txt");
  return () => run(basename(path));
}

const run = await prepared();
const [before, start] = [process.cpuUsage(), performance.now()];
await run();
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(before);
const rss = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000, rss }));
