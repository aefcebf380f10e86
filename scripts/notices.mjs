/** Third-party notices: name, version, licence and licence text of every package that the build put into dist. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PERMISSIVE =
  /^\(?(MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|WTFPL)\b/;

/** Reads esbuild's metafiles in `folder`, removes them, and writes `THIRD-PARTY-NOTICES.txt` there. */
export function writeNotices(folder) {
  const packages = new Map();
  for (const file of readdirSync(folder).filter((name) => /^metafile-.*\.json$/.test(name))) {
    const { inputs } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const input of Object.keys(inputs)) {
      const root = packageRoot(input);
      if (root && !packages.has(root)) packages.set(root, describe(root));
    }
    rmSync(join(folder, file));
  }
  const entries = [...packages.values()].sort((a, b) => a.title.localeCompare(b.title));
  const strange = entries.filter((entry) => !PERMISSIVE.test(entry.license));
  if (strange.length > 0)
    throw new Error(
      `Not a permissive licence: ${strange.map((entry) => `${entry.title} (${entry.license})`).join(", ")}`,
    );
  const text = entries
    .map((entry) => `${entry.title}\nLicence: ${entry.license}\n\n${entry.text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), `The following packages are built into zqagent.\n\n${text}`);
}

/** `node_modules/a/node_modules/@b/c/d.js` → `node_modules/a/node_modules/@b/c` */
function packageRoot(input) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match && existsSync(join(match[1], "package.json")) ? match[1] : null;
}

function describe(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const file = readdirSync(root).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  return {
    title: `${name} ${version}`,
    license: typeof license === "string" ? license : (license?.type ?? "unknown"),
    text: file ? readFileSync(join(root, file), "utf8").trim() : "(the package carries no licence text of its own)",
  };
}
