/** An engine over the scripted model, with a few tools whose effects a test can see. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TurnEngineOpts } from "../../src/engine/options";
import { TurnEngine } from "../../src/engine/TurnEngine";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import type { ToolFunction, ToolMetadata } from "../../src/shared/contracts";
import type { EngineHook } from "../../src/shared/EngineHook";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { ScriptedProvider } from "../support/scriptedProvider";

type Script = ConstructorParameters<typeof ScriptedProvider>[0];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-engine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const kinds = {
  read: { category: "file", riskLevel: "low", requiresApproval: false },
  write: { category: "file", riskLevel: "high", requiresApproval: true },
  shell: { category: "shell", riskLevel: "high", requiresApproval: true },
  web: { category: "network", riskLevel: "medium", requiresApproval: true },
  ask: { category: "interactive", riskLevel: "low", requiresApproval: false },
} as const;

export function addTool(registry: ToolRegistry, kind: keyof typeof kinds, name: string, func: ToolFunction): void {
  const metadata: ToolMetadata = { ...kinds[kind], capabilities: [] };
  if (kind === "write") metadata.writes = (args) => [String(args["path"])];
  registry.register(func, metadata, {
    type: "function",
    function: {
      name,
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, command: { type: "string" }, n: { type: "integer" } },
      },
    },
  });
}

export interface Setup extends Partial<TurnEngineOpts> {
  mode?: Mode;
  tools?: Record<string, [keyof typeof kinds, ToolFunction]>;
}

/** `read`, `write`, `shell`, `web` and `ask` answer at once unless `tools` says otherwise. */
export function engineWith(script: Script, { mode, tools, ...opts }: Setup = {}) {
  const workspace = temporaryFolder();
  const provider = new ScriptedProvider(script);
  const registry = new ToolRegistry();
  const ran: string[] = [];
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    addTool(registry, kind, kind, (args) => {
      ran.push(`${kind} ${JSON.stringify(args)}`);
      return `${kind} done: ${JSON.stringify(args)}`;
    });
  }
  for (const [name, [kind, func]] of Object.entries(tools ?? {})) addTool(registry, kind, name, func);
  const permissions = new PermissionEngine({ workspaceRoot: workspace, mode: mode ?? Mode.AUTO });
  const engine = new TurnEngine({
    provider,
    registry,
    permissions,
    model: "scripted",
    instructions: "You are a test.",
    lang: "en",
    ...opts,
  });
  return { engine, provider, registry, permissions, ran, workspace };
}

/** A hook that writes down the hook-only records and rebuilds the history from them. */
export class HistoryLog implements EngineHook {
  messages: unknown[] = [];
  events: string[] = [];
  onEach(event: { type: string }): void {
    this.events.push(event.type);
  }
  onEvent(type: string, data: Record<string, unknown>): void {
    if (type === "message_appended") {
      if (data["index"] !== this.messages.length) throw new Error(`gap at ${String(data["index"])}`);
      this.messages.push(structuredClone(data["message"]));
    }
    if (type === "history_replaced" && data["messages"]) this.messages = structuredClone(data["messages"] as unknown[]);
    if (type === "history_replaced" && data["changed"]) {
      for (const [index, message] of data["changed"] as [number, unknown][])
        this.messages[index] = structuredClone(message);
    }
  }
}
