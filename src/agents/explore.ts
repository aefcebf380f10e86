/** The explore tool: a question about the code base, handed to a read-only child engine (guide 16.1). */

import description from "../../prompts/tools/explore.md";
import { TurnEngine } from "../engine/TurnEngine";
import { Mode, PermissionEngine } from "../permissions/PermissionEngine";
import { ApprovalOutcome, type ProviderClient, type ToolContext, type ToolResult } from "../shared/contracts";
import type { EngineHook } from "../shared/EngineHook";
import { numberFrom, textFrom } from "../shared/env";
import { isEvent, type TurnStatus } from "../shared/events";
import { DEFAULT_LANG, type Lang } from "../shared/lang";
import { getPrompts } from "../shared/prompts";
import { registerReadOnlyFileTools } from "../tools/fs";
import { registerGitTools } from "../tools/git";
import { registerSearchTool } from "../tools/search";
import { ToolRegistry } from "../tools/ToolRegistry";
import { buildEnvBlock, today } from "./environment";
import { projectInstructions } from "./projectInstructions";

export interface ExploreOptions {
  workspace: string;
  provider: ProviderClient;
  /** The model, or how to ask for the one in use now. EXPLORE_MODEL goes before it. */
  model: string | (() => string);
  lang?: Lang | undefined;
  /** One hook for each child; without it the child is silent (guide 16.1). */
  hookFactory?: (() => EngineHook) | undefined;
  toolResultDir?: string | undefined;
  /** Addition: milliseconds that a child may wait for rate limits and spent quotas (guide 6.2), as its parent may. */
  waitLimitMs?: number | undefined;
  /** Addition: the person's own instruction file. */
  userFile?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
}

const DEFAULT_ITERATIONS = 30;
const TIME_LIMIT_MS = 10 * 60_000;
/** After the time limit the child has been told to report; this long it may take. */
const GRACE_MS = 60_000;
const AT_ONCE = 4;
const MAX_REPORT = 6_000;
const TIME_IS_UP = "The time limit is reached. Do not call tools. Report what was found and what is left.";

/** How many steps each depth may take, as a share of the normal number. */
const DEPTHS: Record<string, number> = { quick: 1 / 3, normal: 1, thorough: 2 };

/** Registers `explore` (guide 16.1). Several run side by side, four at most; further ones wait. */
export function registerExploreTool(registry: ToolRegistry, options: ExploreOptions): void {
  const places = new Places(AT_ONCE);
  registry.register(
    async (args, ctx) => {
      await places.take();
      try {
        return await explore(String(args.task ?? ""), DEPTHS[String(args.depth)] ?? 1, options, ctx);
      } finally {
        places.leave();
      }
    },
    { category: "subagent", riskLevel: "low", capabilities: ["explore"], requiresApproval: false },
    {
      type: "function",
      function: {
        name: "explore",
        description: description.trim(),
        parameters: {
          type: "object",
          additionalProperties: false,
          required: ["task"],
          properties: {
            task: {
              type: "string",
              description: "The question, what is known already, and what the report must contain.",
            },
            description: { type: "string", description: "3 to 6 words for the user." },
            depth: {
              type: "string",
              description: "How far to go.",
              enum: ["quick", "normal", "thorough"],
              default: "normal",
            },
          },
        },
      },
    },
  );
}

async function explore(task: string, depth: number, options: ExploreOptions, ctx?: ToolContext): Promise<ToolResult> {
  const child = createChild(depth, options);
  const interrupt = () => child.requestInterrupt();
  const limit = new TimeLimit(child);
  ctx?.signal?.addEventListener("abort", interrupt, { once: true });
  try {
    const environment = buildEnvBlock(options.workspace, today(), options.lang ?? DEFAULT_LANG);
    return await follow(child, `${environment}\n\n${task}`, limit);
  } finally {
    limit.end();
    ctx?.signal?.removeEventListener("abort", interrupt);
  }
}

/** The child reads and searches; writes are barred by mode and by the lack of tools for them. */
function createChild(depth: number, options: ExploreOptions): TurnEngine {
  const { workspace, provider, model, lang = DEFAULT_LANG, env = process.env } = options;
  const registry = new ToolRegistry();
  registerReadOnlyFileTools(registry, workspace);
  registerSearchTool(registry, workspace);
  registerGitTools(registry, workspace);
  const hook = options.hookFactory?.();
  const child = new TurnEngine({
    provider,
    registry,
    permissions: new PermissionEngine({ workspaceRoot: workspace, mode: Mode.PLAN }),
    model: textFrom(env, "EXPLORE_MODEL") ?? (typeof model === "function" ? model() : model),
    instructions: [getPrompts(lang).explore.trim(), projectInstructions(workspace, options.userFile)]
      .filter(Boolean)
      .join("\n\n"),
    lang,
    maxIterations: Math.max(2, Math.round(numberFrom(env, "EXPLORE_MAX_ITERATIONS", DEFAULT_ITERATIONS, 1) * depth)),
    finalizeOnMaxIterations: true,
    ...(hook ? { hook } : {}),
    ...(options.toolResultDir ? { toolResultDir: options.toolResultDir } : {}),
    ...(options.waitLimitMs === undefined ? {} : { waitLimitMs: options.waitLimitMs }),
  });
  child.setApprover(async () => ApprovalOutcome.DENY);
  return child;
}

/** Reads the child's turn to its end; its last text is the report. */
async function follow(child: TurnEngine, task: string, limit: TimeLimit): Promise<ToolResult> {
  const seen = { text: "", steps: 0, calls: 0, tokens: 0, problem: "" };
  let status: TurnStatus = "error";
  for await (const event of child.run(task)) {
    if (isEvent(event, "assistant_message")) {
      seen.text = event.data.text.trim() || seen.text;
      seen.steps += 1;
      seen.tokens += (event.data.usage?.input ?? 0) + (event.data.usage?.output ?? 0);
    } else if (isEvent(event, "tool_finished")) seen.calls += 1;
    else if (isEvent(event, "llm_retry")) limit.extend(event.data.waitMs);
    else if (isEvent(event, "error")) seen.problem = event.data.error;
    else if (isEvent(event, "turn_end")) status = event.data.status;
  }
  const endings: Record<TurnStatus, string> = {
    completed: "completed",
    max_iterations_exceeded: "step limit",
    interrupted: "interrupted",
    error: "failed",
  };
  const report = seen.text.length > MAX_REPORT ? `${seen.text.slice(0, MAX_REPORT)}\n[report cut]` : seen.text;
  const footer = `[explore: ${seen.steps} steps, ${seen.calls} calls, ${seen.tokens.toLocaleString("en")} tokens, ${endings[status]}]`;
  const content = [report, seen.problem && `The exploration failed: ${seen.problem}`, footer]
    .filter(Boolean)
    .join("\n\n");
  const outcomes: Partial<Record<TurnStatus, ToolResult["status"]>> = { error: "error", interrupted: "interrupted" };
  return { content, status: report === "" ? "error" : (outcomes[status] ?? "ok") };
}

/** Asks the child for its report when the time is up, and stops it a while later. Waits for limits do not count. */
class TimeLimit {
  readonly #child: TurnEngine;
  #timers: NodeJS.Timeout[] = [];
  #until = Date.now() + TIME_LIMIT_MS;

  constructor(child: TurnEngine) {
    this.#child = child;
    this.#start();
  }

  extend(ms: number): void {
    this.end();
    this.#until += ms;
    this.#start();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #start(): void {
    const left = Math.max(0, this.#until - Date.now());
    this.#timers = [
      setTimeout(() => this.#child.queueSteering(TIME_IS_UP), left),
      setTimeout(() => this.#child.requestInterrupt(), left + GRACE_MS),
    ];
  }
}

/** So many at once; the others wait in line. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
