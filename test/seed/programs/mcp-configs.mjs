// Guide 15.2: the forms of mcp.json, and what is inferred.
import { writeFileSync } from "node:fs";
import { loadMcpConfigFile, normalizeMcpConfigs, saveMcpConfigFile, withBuiltinMcpConfigs } from "@zqagent/core";

const forms = [
  [
    { name: "filesystem", type: "stdio", command: ["npx", "-y", "a-server", "/data"] },
    { name: "remote", type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
  ],
  { servers: [{ name: "one", url: "https://example.com/mcp" }] },
  { servers: { two: { command: "npx -y pkg" } } },
  { mcpServers: { three: { command: "npx -y pkg", args: ["--flag"] }, four: { command: "x", disabled: true } } },
  [{ name: "ocr", enabled: false }],
];
for (const form of forms) {
  const { configs } = normalizeMcpConfigs(form);
  console.log(
    configs
      .map((config) => [config.name, config.type, config.enabled, "command" in config ? config.command.join(" ") : ""])
      .join("; "),
  );
}
console.log(
  withBuiltinMcpConfigs([])
    .map(({ name }) => name)
    .join(" "),
);

const path = `${process.cwd()}/mcp.json`;
writeFileSync(path, JSON.stringify(forms[0]));
const loaded = loadMcpConfigFile(path, { TOKEN: "t" }).configs[1];
console.log(loaded && "headers" in loaded ? loaded.headers?.Authorization : "");
saveMcpConfigFile(path, normalizeMcpConfigs(forms[2]).configs);
console.log(
  loadMcpConfigFile(path)
    .configs.map(({ name }) => name)
    .join(" "),
);
