/** Runs a program of `programs/` as an ES module or as CommonJS, in a workspace of its own, against a scripted model. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LoggedRequest, ModelServer, type ModelServerOptions } from "../../src/cli/demo/ModelServer";
import type { Script } from "../../src/cli/demo/script";
import { installTarball, runNode } from "../package/packed";

export type Form = "mjs" | "cjs";

/** What a program is given, and what it must print. */
export interface Performance {
  script?: Script;
  server?: ModelServerOptions;
  env?: NodeJS.ProcessEnv;
  files?: Record<string, string>;
  prints: (string | RegExp)[];
  /** A look at what the model was asked. */
  asked?(requests: LoggedRequest[]): void;
}

const PROGRAMS = join(import.meta.dirname, "programs");

export const programNames: string[] = readdirSync(PROGRAMS).map((name) => name.replace(/\.mjs$/, ""));

/** Installs the tarball under the seed's own name, and puts both forms of every program beside it. */
export async function installPrograms(): Promise<string> {
  const folder = await installTarball("@zqagent/core");
  for (const name of programNames) {
    const source = readFileSync(join(PROGRAMS, `${name}.mjs`), "utf8");
    writeFileSync(join(folder, `${name}.mjs`), source);
    writeFileSync(join(folder, `${name}.cjs`), asCommonJs(source));
  }
  return folder;
}

/** `import { a as b } from "x";` becomes `const { a: b } = require("x");`, and what awaits at the top stands in a function. */
function asCommonJs(source: string): string {
  const required: string[] = [];
  const rest = source.replace(/^import (\{[^}]*\}) from ("[^"]+");\n/gm, (_line, names: string, door: string) => {
    required.push(`const ${names.replace(/ as /g, ": ")} = require(${door});`);
    return "";
  });
  return `${required.join("\n")}\n(async () => {\n${rest}\n})();\n`;
}

const workspaceFiles = {
  "README.md": "# Demo\n\nA small project.\n",
  "src/app.ts": 'export const greeting = "hello";\n',
};

/** The lines that the program printed, and what the model was asked. Throws when the program fails or warns. */
export async function perform(
  folder: string,
  { name, form }: { name: string; form: Form },
  { script = [], server: options, env, files = {} }: Performance,
): Promise<{ lines: string[]; requests: LoggedRequest[] }> {
  const cwd = join(folder, "runs", `${name}-${form}`);
  for (const [path, text] of Object.entries({ ...workspaceFiles, ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const server = new ModelServer(script, { strict: true, ...options });
  const { url } = await server.start();
  try {
    const given = {
      ...{ OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: url, OPENAI_MODEL: "scripted" },
      ...{ NETWORK_RETRY_BASE_MS: "1", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: join(folder, "gitconfig") },
      ...{ LANG: "C.UTF-8", TMPDIR: process.env.TMPDIR, ...env },
    };
    const { code, stdout, stderr } = await runNode([join(folder, `${name}.${form}`)], { cwd, env: given });
    if (code !== 0 || stderr !== "")
      throw new Error(`${name}.${form} ended with ${code}.\n${stdout}\n${stderr.slice(0, 3000)}`);
    return { lines: stdout.trimEnd().split("\n"), requests: server.requests };
  } finally {
    await server.close();
  }
}
