/** Every form in which servers are written down, what is made of it, and what goes back into the file. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCommandLine } from "../../src/mcp/commandLine";
import {
  BUILTIN_MCP_CONFIGS,
  normalizeMcpConfig,
  normalizeMcpConfigs,
  withBuiltinMcpConfigs,
} from "../../src/mcp/config";
import {
  defaultMcpConfigPath,
  loadMcpConfigFile,
  readMcpConfigFile,
  saveMcpConfigFile,
} from "../../src/mcp/configFile";
import { temporaryFolder } from "./bench";

function fileWith(content: string): string {
  const path = defaultMcpConfigPath(temporaryFolder());
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const fs = { name: "fs", type: "stdio", command: ["npx", "-y", "pkg", "/data"], enabled: true };

describe("forms", () => {
  it.each([
    ["an array", [{ name: "fs", type: "stdio", command: ["npx", "-y", "pkg", "/data"] }]],
    ["servers as a list", { servers: [{ name: "fs", command: "npx -y pkg /data" }] }],
    ["servers as a map", { servers: { fs: { command: ["npx", "-y", "pkg"], args: ["/data"] } } }],
    ["mcpServers", { mcpServers: { fs: { command: "npx -y pkg", args: ["/data"] } } }],
  ])("%s", (_form, raw) => {
    expect(normalizeMcpConfigs(raw)).toEqual({ configs: [fs], warnings: [] });
  });

  it.each([
    ["builtin before url", { builtin: "ocr", url: "http://x.test", command: "x" }, "builtin"],
    ["url before command", { url: "http://x.test", command: "x" }, "http"],
    ["command", { command: "x" }, "stdio"],
    ["a type of its own", { type: "sse", url: "http://x.test" }, "sse"],
    ["another spelling", { type: "streamable-http", url: "http://x.test" }, "http"],
  ])("type is inferred: %s", (_kind, entry, type) => {
    expect(normalizeMcpConfig(entry, "x").type).toBe(type);
  });

  it.each([
    [{ enabled: false }, false],
    [{ disabled: true }, false],
    [{ enabled: true }, true],
    [{}, true],
  ])("%j", (flags, enabled) => {
    expect(normalizeMcpConfig({ command: "x", ...flags }, "x").enabled).toBe(enabled);
  });

  it.each([
    [{ timeout: 60 }, 60_000],
    [{ timeout: 90_000 }, 90_000],
    [{ timeoutMs: 5 }, 5],
    [{ timeout: "x" }, undefined],
  ])("time limit %j", (given, timeoutMs) => {
    expect(normalizeMcpConfig({ command: "x", ...given }, "x").timeoutMs).toBe(timeoutMs);
  });

  it("one bad entry is a warning, and the others are used", () => {
    const { configs, warnings } = normalizeMcpConfigs({
      mcpServers: {
        good: { command: "a" },
        empty: {},
        odd: 7,
        kind: { type: "carrier pigeon", url: "http://x.test" },
        scheme: { url: "file:///etc/passwd" },
        quote: { command: "a 'b" },
        env: { command: "a", env: { X: { deep: 1 } } },
        preset: { builtin: "psychic" },
      },
    });
    expect(configs.map((config) => config.name)).toEqual(["good"]);
    expect(warnings.map((warning) => warning.split(":")[0])).toEqual([
      "empty",
      "odd",
      "kind",
      "scheme",
      "quote",
      "env",
      "preset",
    ]);
  });

  it.each([[null], [7], ["x"], [{}], [{ servers: 5 }], [[1, null, { command: "x" }]]])("%j never throws", (raw) => {
    const { configs, warnings } = normalizeMcpConfigs(raw);
    expect(configs).toEqual([]);
    expect(warnings.length).toBeGreaterThan(0);
  });

  it("anything at all never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        normalizeMcpConfigs(raw);
        normalizeMcpConfigs({ mcpServers: { x: raw } });
      }),
    );
  });

  it("of two entries with one name the first counts", () => {
    const { configs, warnings } = normalizeMcpConfigs([
      { name: "a", command: "one" },
      { name: "a", command: "two" },
    ]);
    expect(configs).toMatchObject([{ command: ["one"] }]);
    expect(warnings).toEqual(["a: the name is used twice; the first entry counts."]);
  });
});

describe("presets", () => {
  it("are appended where the name is free", () => {
    const { configs } = normalizeMcpConfigs([{ name: "x", command: "x" }]);
    expect(withBuiltinMcpConfigs(configs).map((config) => config.name)).toEqual(["x", "ocr"]);
    expect(BUILTIN_MCP_CONFIGS.map((preset) => preset.name)).toEqual(["ocr"]);
  });

  it("are switched off by an entry of that name", () => {
    const { configs, warnings } = normalizeMcpConfigs([{ name: "ocr", enabled: false }]);
    expect(warnings).toEqual([]);
    expect(withBuiltinMcpConfigs(configs)).toMatchObject([{ name: "ocr", enabled: false }]);
  });

  it("give way to a server of that name", () => {
    const { configs } = normalizeMcpConfigs([{ name: "ocr", command: "my-ocr" }]);
    expect(withBuiltinMcpConfigs(configs)).toMatchObject([{ name: "ocr", type: "stdio" }]);
  });
});

describe("command lines", () => {
  it.each([
    ["npx -y pkg", ["npx", "-y", "pkg"]],
    ["  a  \"b c\"  d'e f' ", ["a", "b c", "de f"]],
    ['a ""', ["a", ""]],
    ['a "x \\" y"', ["a", 'x " y']],
    ["a b\\ c", ["a", "b c"]],
    ["C:\\tools\\server.exe -x", ["C:\\tools\\server.exe", "-x"]],
    ["a '$HOME' `x`", ["a", "$HOME", "`x`"]],
    ["", []],
  ])("%s", (text, words) => {
    expect(splitCommandLine(text)).toEqual(words);
  });

  it("a quote that is not closed is an error", () => {
    expect(() => splitCommandLine("a 'b")).toThrow(/not closed/);
  });

  it("quoted words come back as they were", () => {
    const word = fc.string().map((text) => text.replaceAll("\\", "/").replaceAll('"', "'"));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitCommandLine(words.map((text) => `"${text}"`).join(" "))).toEqual(words);
      }),
    );
  });

  it("the path of a program may hold blanks", () => {
    const program = join(temporaryFolder(), "my server");
    writeFileSync(program, "");
    expect(normalizeMcpConfig({ command: program, args: ["-x"] }, "x")).toMatchObject({ command: [program, "-x"] });
  });
});

describe("files", () => {
  const env = { TOKEN: "t0k3n", HOST: "h.test" };
  const content = `// servers
  { "servers": [
    { "name": "remote", "url": "https://\${HOST}/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } }, /* and */
    { "name": "local", "command": "run --as \${WHO:-nobody} \${MISSING}", "env": { "URL": "http://a.test//b" } },
  ] }`;

  it("a missing file is an empty list", () => {
    expect(loadMcpConfigFile(join(temporaryFolder(), "mcp.json"))).toEqual({ configs: [], warnings: [] });
  });

  it.each([["{"], ["[1,"], [""]])("%j is a warning", (text) => {
    const { configs, warnings } = loadMcpConfigFile(fileWith(text));
    expect(configs).toEqual([]);
    expect(warnings[0]).toMatch(/mcp\.json is not valid JSON/);
  });

  it("a folder in its place is a warning", () => {
    expect(loadMcpConfigFile(temporaryFolder()).warnings[0]).toMatch(/cannot be read/);
  });

  it("variables are filled in when it is loaded, comments passed over", () => {
    const { configs, warnings } = loadMcpConfigFile(fileWith(content), env);
    expect(configs).toMatchObject([
      { url: "https://h.test/mcp", headers: { Authorization: "Bearer t0k3n" } },
      { command: ["run", "--as", "nobody", ""], env: { URL: "http://a.test//b" } },
    ]);
    expect(warnings).toEqual(["local: the environment variable MISSING is not set."]);
  });

  it("secrets never go back into a file", () => {
    const { configs } = loadMcpConfigFile(fileWith(content), env);
    const path = defaultMcpConfigPath(temporaryFolder());
    saveMcpConfigFile(path, withBuiltinMcpConfigs(configs));
    const saved = readFileSync(path, "utf8");
    expect(saved).toContain("Bearer ${env:TOKEN}");
    expect(saved).not.toMatch(/t0k3n|h\.test|ocr/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadMcpConfigFile(path, env).configs).toEqual(configs);
  });

  it("what is read can be saved and read again", () => {
    const { configs } = readMcpConfigFile(fileWith(content));
    expect(configs[0]).toMatchObject({ url: "https://${HOST}/mcp" });
    const path = join(temporaryFolder(), "deep", "mcp.json");
    saveMcpConfigFile(path, [...configs, normalizeMcpConfig({ name: "ocr", enabled: false })]);
    expect(readMcpConfigFile(path).configs).toEqual([
      ...configs,
      { name: "ocr", type: "builtin", builtin: "ocr", enabled: false },
    ]);
  });
});
