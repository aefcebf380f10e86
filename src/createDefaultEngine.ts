/** The whole engine in one call (guide 6.1): provider, tools, permissions, prompt, hooks, fallback approver. */

import { collectEnvironment, today } from "./agents/environment";
import { registerExploreTool } from "./agents/explore";
import { FolderInstructions } from "./agents/folderInstructions";
import { type AgentType, buildInstructions } from "./agents/instructions";
import { type Check, checkEach, isFolder } from "./engine/options";
import { resolveToolResultDir } from "./engine/resultDir";
import { TurnEngine } from "./engine/TurnEngine";
import { CompositeHook } from "./hooks/CompositeHook";
import { VcsHook } from "./hooks/VcsHook";
import { type Mode, PermissionEngine, type ShellPolicy } from "./permissions/PermissionEngine";
import { OpenAIProvider } from "./providers/OpenAIProvider";
import { EngineSandbox } from "./sandbox/EngineSandbox";
import type { SandboxOptions } from "./sandbox/plan";
import { resolveSandbox } from "./sandbox/sandbox";
import { ApprovalOutcome, type Approver, type ProviderClient } from "./shared/contracts";
import type { EngineHook } from "./shared/EngineHook";
import { textFrom } from "./shared/env";
import { DEFAULT_LANG, type Lang, PROMPT_LANGS } from "./shared/lang";
import type { Message } from "./shared/messages";
import { resolveModel } from "./shared/models";
import { WorkspaceRoots } from "./shared/paths";
import { registerAskTool } from "./tools/ask";
import { ConflictGuard } from "./tools/ConflictGuard";
import { registerDiffTools } from "./tools/diff";
import { registerDirectoryTool } from "./tools/directories";
import { registerReadOnlyFileTools } from "./tools/fs";
import { registerGitTools } from "./tools/git";
import { registerMediaTool } from "./tools/media";
import { registerPlanTool } from "./tools/plan";
import { registerSearchTool } from "./tools/search";
import { registerShellTool } from "./tools/shell";
import { ToolRegistry } from "./tools/ToolRegistry";
import { registerTodoTool } from "./tools/todo";
import { registerWebTools, type WebToolOptions } from "./tools/web";
import { registerWriteTools } from "./tools/writeFiles";
import { resolveVcsPlan, type VcsMode } from "./vcs/plan";
import { SessionVcs } from "./vcs/SessionVcs";

/** Options of `createDefaultEngine` (guide 6.1). */
export interface CreateEngineOpts {
  /** Root of the workspace: the boundary for files and commands. */
  workspace: string;
  /** Default: OPENAI_MODEL. Without either `run()` fails; none is chosen. */
  model?: string | undefined;
  provider?: ProviderClient | undefined;
  mode?: Mode | undefined;
  maxIterations?: number | undefined;
  /** Default: OPENAI_REASONING_EFFORT. */
  reasoningEffort?: string | undefined;
  /** Command prefixes that run without asking (guide 8.5). */
  allowedCommands?: string[] | undefined;
  shellPolicy?: ShellPolicy | undefined;
  /** How commands are confined (guide 8.4). With `required` this throws where no sandbox can be had. */
  sandbox?: SandboxOptions | undefined;
  /** Snapshots per turn (guide 17). `onNotice` (addition) is told what could not be saved. */
  vcs?:
    | { mode: VcsMode; sessionId?: string | undefined; onNotice?: ((notice: string) => void) | undefined }
    | undefined;
  /** Replaces the generated system prompt. */
  instructions?: string | undefined;
  agentType?: AgentType | undefined;
  /** Addition: a person's own instruction file, read in front of those of the project; it need not exist. */
  userFile?: string | undefined;
  lang?: Lang | undefined;
  /** History of a session that goes on. */
  messages?: Message[] | undefined;
  hook?: EngineHook | undefined;
  subagentHookFactory?: (() => EngineHook) | undefined;
  contextWindow?: number | undefined;
  thresholdPct?: number | undefined;
  softThresholdPct?: number | undefined;
  capTokens?: number | null | undefined;
  toolResultDir?: string | undefined;
  logDir?: string | undefined;
  /** Addition: hosts of private networks that may be fetched, and the search service (settings `web`, `search`). */
  web?: Pick<WebToolOptions, "allowHosts" | "search"> | undefined;
  /** What happens when something must be asked and no approver is set (guide 8.3). */
  defaultApproval?: "error" | "deny" | "allow" | undefined;
  /** Addition: how long a turn may wait for rate limits in all, in milliseconds; default 0. */
  waitLimitMs?: number | undefined;
  /**
   * Addition: the provider may ask the endpoint for the model's window beside the second request. Default false: no
   * request goes out but the model's own.
   */
  askContextWindow?: boolean | undefined;
  /** Addition: sentences for the model, taken before each of its calls. */
  notices?: (() => string[]) | undefined;
}

/** Assembles an engine (guide 6.1). Throws ZqError with the option's name when an option cannot be used. */
export function createDefaultEngine(opts: CreateEngineOpts): TurnEngine {
  check(opts);
  const lang = opts.lang ?? DEFAULT_LANG;
  const provider = opts.provider ?? new OpenAIProvider(opts.logDir === undefined ? {} : { logDir: opts.logDir });
  const model = opts.model || textFrom(process.env, "OPENAI_MODEL") || "";
  const roots = new WorkspaceRoots(opts.workspace);
  const toolResultDir = opts.toolResultDir ?? resolveToolResultDir();
  roots.allowReading(toolResultDir);
  const sandbox = new EngineSandbox(resolveSandbox(opts.sandbox, opts.workspace), roots);
  const registry = new ToolRegistry();
  const tools = registerBuiltinTools(registry, {
    opts,
    lang,
    provider,
    roots,
    toolResultDir,
    sandbox,
    model: () => engine.model,
  });
  const permissions = new PermissionEngine({
    workspaceRoot: opts.workspace,
    roots,
    sandbox: sandbox.state,
    ...given({ mode: opts.mode, allowedCommands: opts.allowedCommands, shellPolicy: opts.shellPolicy }),
  });
  // With a prompt of the host's own no file of the project speaks.
  const folders = opts.instructions === undefined ? new FolderInstructions(opts.workspace, registry) : null;
  const isFresh = opts.instructions === undefined && (opts.messages?.length ?? 0) === 0;
  const hook = hookOf(opts);
  const engine: TurnEngine = new TurnEngine({
    provider,
    registry,
    permissions,
    model,
    lang,
    instructions:
      opts.instructions ??
      buildInstructions(opts.agentType ?? "code", opts.workspace, today(), lang, given({ userFile: opts.userFile })),
    toolResultDir,
    notices: () => [...tools.takeNotices(), ...(opts.notices?.() ?? []), ...(folders?.news(engine.messages) ?? [])],
    seen: () => tools.guard.takeNotes(),
    dispose: tools.dispose,
    ...(isFresh ? { environment: () => collectEnvironment(opts.workspace, lang, sandbox.describe()) } : {}),
    ...given({
      hook,
      sessionId: opts.vcs?.sessionId,
      messages: opts.messages,
      maxIterations: opts.maxIterations,
      reasoningEffort: opts.reasoningEffort ?? textFrom(process.env, "OPENAI_REASONING_EFFORT"),
      contextWindow: opts.contextWindow,
      thresholdPct: opts.thresholdPct,
      softThresholdPct: opts.softThresholdPct,
      capTokens: opts.capTokens,
      waitLimitMs: opts.waitLimitMs,
      askContextWindow: opts.askContextWindow,
    }),
  });
  tools.guard.restore(engine.messages);
  engine.setApprover(fallbackApprover(opts.defaultApproval ?? "error"));
  return engine;
}

interface ToolSurroundings {
  opts: CreateEngineOpts;
  lang: Lang;
  provider: ProviderClient;
  roots: WorkspaceRoots;
  toolResultDir: string;
  sandbox: EngineSandbox;
  model: () => string;
}

/** All 21, in the order in which the model sees them: it never changes, so that prefix caches hit. */
function registerBuiltinTools(registry: ToolRegistry, surroundings: ToolSurroundings) {
  const { opts, lang, provider, roots, toolResultDir, sandbox, model } = surroundings;
  const { workspace } = opts;
  const guard = new ConflictGuard();
  registerReadOnlyFileTools(registry, workspace, { guard, roots, vision: () => resolveModel(model()).vision });
  registerSearchTool(registry, workspace, { roots });
  registerWriteTools(registry, workspace, { guard, roots });
  registerDiffTools(registry, workspace, { guard, roots });
  const wrap = (argv: string[], cwd: string) => sandbox.wrap(argv, cwd);
  const { tasks } = registerShellTool(registry, workspace, { roots, taskDir: toolResultDir, wrap });
  registerGitTools(registry, workspace, { roots });
  const { allowHosts, search } = opts.web ?? {};
  registerWebTools(registry, workspace, given({ allowHosts, search }));
  registerTodoTool(registry);
  registerAskTool(registry);
  registerPlanTool(registry);
  registerDirectoryTool(registry, workspace, { roots });
  registerExploreTool(registry, {
    workspace,
    provider,
    model,
    lang,
    toolResultDir,
    ...given({ hookFactory: opts.subagentHookFactory, waitLimitMs: opts.waitLimitMs, userFile: opts.userFile }),
  });
  registerMediaTool(registry, { workspace, provider, model, roots, ...given({ allowHosts }) });
  const dispose = () => tasks.killAll().finally(() => sandbox.dispose());
  return { takeNotices: () => tasks.takeNotices(), guard, dispose };
}

function hookOf(opts: CreateEngineOpts): EngineHook | undefined {
  const { mode = "off", sessionId = "default", onNotice } = opts.vcs ?? {};
  const plan = resolveVcsPlan(opts.workspace, { mode });
  if (plan.mode === "off") return opts.hook;
  const vcsHook = new VcsHook(new SessionVcs(plan, sessionId), { startsAtFirstChange: true, ...given({ onNotice }) });
  return opts.hook ? new CompositeHook([opts.hook, vcsHook]) : vcsHook;
}

/** None for `error`: the engine itself throws then, so that nobody takes a forgotten approver for a bad model. */
function fallbackApprover(kind: "error" | "deny" | "allow"): Approver | null {
  if (kind === "error") return null;
  return async () => (kind === "allow" ? ApprovalOutcome.ONCE : ApprovalOutcome.DENY);
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isFunction = (value: unknown) => typeof value === "function";
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isOneOf =
  (...allowed: string[]) =>
  (value: unknown) =>
    allowed.some((candidate) => candidate === value);

const required: Check<CreateEngineOpts>[] = [["workspace", isFolder, "the path of a folder"]];

/** What the classes below do not check themselves, or would name otherwise. */
const optional: Check<CreateEngineOpts>[] = [
  ["model", (value) => typeof value === "string", "a string"],
  ["lang", isOneOf(...PROMPT_LANGS), `one of ${PROMPT_LANGS.join(", ")}`],
  ["agentType", isOneOf("code", "cowork"), "code or cowork"],
  ["defaultApproval", isOneOf("error", "deny", "allow"), "error, deny or allow"],
  ["sandbox", isObject, "{ mode: auto, off or required, extraWritable: a list of folders }"],
  ["vcs", isVcs, "{ mode: off, auto, native or shadow, sessionId: a string }"],
  ["hook", isObject, "an EngineHook"],
  ["subagentHookFactory", isFunction, "a function that makes an EngineHook"],
  ["toolResultDir", isFolder, "a folder"],
  ["logDir", isFolder, "a folder"],
  ["userFile", isText, "the path of a file"],
  ["notices", isFunction, "a function"],
  ["web", isWeb, "{ allowHosts: a list of hosts, search: { backend, url } }"],
];

function check(opts: CreateEngineOpts): void {
  checkEach("createDefaultEngine", opts, { required, optional });
}

function isVcs(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { mode = "off", sessionId = "default", onNotice } = value as Record<string, unknown>;
  const isTold = onNotice === undefined || isFunction(onNotice);
  return isOneOf("off", "auto", "native", "shadow")(mode) && isText(sessionId) && isTold;
}

function isWeb(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { allowHosts = [], search = {} } = value as { allowHosts?: unknown; search?: unknown };
  if (!isObject(search) || !Array.isArray(allowHosts)) return false;
  const { backend, url = "" } = search as { backend?: unknown; url?: unknown };
  const isBackend = backend === undefined || typeof backend === "string" || isObject(backend);
  return allowHosts.every(isText) && isBackend && typeof url === "string";
}

/** Only the options that were given: absent must stay absent, so that defaults are set in one place. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
