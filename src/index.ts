/** The waist: every public name of the library, listed by hand (guide 20.1). Nothing here loads the command's side. */

export { type AgentDef, AgentRegistry, BUILTIN_AGENTS } from "./agents/AgentRegistry";
export { buildEnvBlock, type EnvironmentFacts } from "./agents/environment";
export { type ExploreOptions, registerExploreTool } from "./agents/explore";
export { type AgentType, buildInstructions } from "./agents/instructions";
export { type CreateEngineOpts, createDefaultEngine } from "./createDefaultEngine";
export {
  ATTACHMENT_DIR,
  AttachmentError,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  normalizeAttachments,
  readStoredAttachment,
  saveAttachments,
  stripAttachments,
} from "./engine/attachments";
export { EngineBusy } from "./engine/EngineBusy";
export type { TurnEngineOpts } from "./engine/options";
export { TurnEngine } from "./engine/TurnEngine";
export { CompositeHook } from "./hooks/CompositeHook";
export { ConsoleHook, SubagentHook } from "./hooks/ConsoleHook";
export { FileLogHook, type FileLogOptions } from "./hooks/FileLogHook";
export { type RestoredSession, restoreSession } from "./hooks/restore";
export type { SavedState } from "./hooks/savedState";
export { VcsHook } from "./hooks/VcsHook";
export type { McpBuiltinContext, McpBuiltinModel } from "./mcp/builtinContext";
export { splitCommandLine } from "./mcp/commandLine";
export {
  BUILTIN_MCP_CONFIGS,
  type McpConfigList,
  type McpServerConfig,
  type McpServerEntry,
  normalizeMcpConfig,
  normalizeMcpConfigs,
  withBuiltinMcpConfigs,
} from "./mcp/config";
export { defaultMcpConfigPath, loadMcpConfigFile, readMcpConfigFile, saveMcpConfigFile } from "./mcp/configFile";
export type { McpLazyOptions } from "./mcp/lazyPolicy";
export { MCP_CALL_TOOL, MCP_SEARCH_TOOL } from "./mcp/lazyTools";
export { McpClient, type McpClientOptions } from "./mcp/McpClient";
export {
  type McpConnectResult,
  type McpEvent,
  McpManager,
  type McpManagerOptions,
} from "./mcp/McpManager";
export type { McpServerStatus } from "./mcp/serverStatus";
export {
  Mode,
  PermissionEngine,
  type PermissionOptions,
  type SandboxState,
  type ShellPolicy,
} from "./permissions/PermissionEngine";
export { RiskClass, riskClassOf } from "./permissions/riskClass";
export { OpenAIProvider } from "./providers/OpenAIProvider";
export {
  PROBE_COST,
  type ProbeFinding,
  type ProbeName,
  type ProbeOptions,
  type ProbeReport,
  probeEndpoint,
} from "./providers/probe/probe";
export { approvalFields, approvalToHtmlTable, approvalToMarkdownTable } from "./render/approvals";
export { MarkdownRenderer } from "./render/MarkdownRenderer";
export { buildBwrapArgs } from "./sandbox/bwrapArgs";
export { buildMacProfile } from "./sandbox/macProfile";
export type { SandboxMode, SandboxOptions, SandboxPlan } from "./sandbox/plan";
export { describeSandbox, resolveSandbox, wrapWithSandbox } from "./sandbox/sandbox";
export {
  type ApprovalAnswer,
  ApprovalOutcome,
  type Approver,
  type Decision,
  type FileChange,
  type PermissionRequest,
  type ProviderClient,
  type RequestOptions,
  type StreamOpts,
  type ToolContext,
  type ToolFunction,
  type ToolMetadata,
  type ToolResult,
  type ToolSchema,
  type ToolSpec,
} from "./shared/contracts";
export type { EngineHook } from "./shared/EngineHook";
export { DEFAULT_MAX_ITERATIONS } from "./shared/env";
export { EventType, type WsEvent } from "./shared/events";
export {
  currentAsker,
  type DirectoryHandler,
  type PlanHandler,
  type QuestionAnswer,
  type QuestionHandler,
  setDirectoryHandler,
  setPlanHandler,
  setQuestionHandler,
} from "./shared/handlers";
export { type Lang, PROMPT_LANGS } from "./shared/lang";
export type {
  Message,
  MessageAttachment,
  StoredAttachment,
  StreamChunk,
  TokenUsage,
  ToolCall,
} from "./shared/messages";
export { getPrompts, type PromptSet, promptSets } from "./shared/prompts";
export { registerAskTool } from "./tools/ask";
export { ConflictGuard } from "./tools/ConflictGuard";
export { registerDiffTools } from "./tools/diff";
export { registerDirectoryTool } from "./tools/directories";
export type { DiffDisplay, DiffDisplayFile } from "./tools/edit/display";
export { registerFileTools, registerReadOnlyFileTools } from "./tools/fs";
export { registerGitTools } from "./tools/git";
export { registerMediaTool } from "./tools/media";
export { registerPlanTool } from "./tools/plan";
export { registerSearchTool } from "./tools/search";
export { registerShellTool } from "./tools/shell";
export { ToolRegistry } from "./tools/ToolRegistry";
export { registerTerminalTools, type TerminalSource } from "./tools/terminal";
export { registerTodoTool, TodoList } from "./tools/todo";
export { registerWebTools } from "./tools/web";
export type { WebSearchBackend } from "./tools/web/search/SearchBackend";
export { agentRef, resolveVcsPlan, sessionIndexPath, type VcsMode, type VcsPlan } from "./vcs/plan";
export { type CommitResult, SessionVcs, type SessionVcsOptions, type TurnEntry } from "./vcs/SessionVcs";
export type { RestoreOptions, RestoreResult } from "./vcs/SnapshotStore";
