/** What the guide names, written down by hand from it, each with the section that names it. */

/** Sub-paths of 3.4, and what each must give. */
export const subPaths: Record<string, string[]> = {
  "tools/fs": ["registerFileTools"],
  "tools/shell": ["registerShellTool"],
  "tools/search": ["registerSearchTool"],
  "tools/web": ["registerWebTools"],
  "tools/git": ["registerGitTools"],
  "tools/diff": ["registerDiffTools"],
  "tools/todo": ["registerTodoTool"],
  "tools/ask": ["registerAskTool"],
  "tools/plan": ["registerPlanTool"],
  "tools/directories": ["registerDirectoryTool"],
  "tools/explore": ["registerExploreTool"],
  "tools/media": ["registerMediaTool"],
};

/** Functions, classes and values of the main entry, by section. */
export const values: Record<string, string[]> = {
  "4": ["ApprovalOutcome", "EventType", "Mode", "createDefaultEngine", "setQuestionHandler"],
  "6.1": ["buildInstructions", "DEFAULT_MAX_ITERATIONS"],
  "6.2": ["OpenAIProvider", "PermissionEngine", "ToolRegistry", "TurnEngine", "registerFileTools", "registerShellTool"],
  "7.1": [
    ...["registerReadOnlyFileTools", "registerSearchTool", "registerWebTools", "registerGitTools", "registerDiffTools"],
    ...["registerAskTool", "registerPlanTool", "registerDirectoryTool", "registerTodoTool", "registerExploreTool"],
    ...["registerMediaTool", "registerTerminalTools"],
  ],
  "8.1": ["RiskClass"],
  "8.4": ["resolveSandbox", "wrapWithSandbox", "describeSandbox", "buildMacProfile", "buildBwrapArgs"],
  "11.2": ["CompositeHook", "ConsoleHook", "FileLogHook"],
  "13.1": ["MAX_ATTACHMENTS", "MAX_ATTACHMENT_BYTES", "ATTACHMENT_DIR", "normalizeAttachments", "saveAttachments"],
  "13.1c": ["readStoredAttachment", "AttachmentError"],
  "15": [
    ...["McpClient", "McpManager", "MCP_SEARCH_TOOL", "MCP_CALL_TOOL", "loadMcpConfigFile", "saveMcpConfigFile"],
    ...["readMcpConfigFile", "normalizeMcpConfig", "normalizeMcpConfigs", "defaultMcpConfigPath"],
    ...["withBuiltinMcpConfigs", "splitCommandLine", "BUILTIN_MCP_CONFIGS"],
  ],
  "16": ["SubagentHook", "AgentRegistry"],
  "17": ["SessionVcs", "VcsHook", "resolveVcsPlan"],
  "19": ["setPlanHandler", "setDirectoryHandler"],
  "20.1": [
    ...["TodoList", "MarkdownRenderer", "approvalFields", "approvalToHtmlTable", "approvalToMarkdownTable"],
    ...["buildEnvBlock", "getPrompts", "promptSets", "PROMPT_LANGS", "BUILTIN_AGENTS", "stripAttachments"],
    ...["agentRef", "sessionIndexPath"],
  ],
};

/**
 * Chapters that are not built yet: each name must be absent. When it appears it moves to `values`, `variablesNotYet` to
 * `variables`, and the chapter's blocks in `blocks.ts` get a program each. Now every chapter is there.
 */
export const notYet: Record<string, string[]> = {};

/** Types of the main entry with their members: `name` must be there, `name?` must be there and optional. */
export const types: Record<string, { section: string; members: string[] }> = {
  CreateEngineOpts: {
    section: "6.1",
    members: [
      ...["workspace", "model?", "provider?", "mode?", "maxIterations?", "reasoningEffort?", "allowedCommands?"],
      ...["shellPolicy?", "sandbox?", "vcs?", "instructions?", "agentType?", "lang?", "messages?", "hook?"],
      ...["subagentHookFactory?", "contextWindow?", "thresholdPct?", "softThresholdPct?", "capTokens?"],
      ...["toolResultDir?", "logDir?", "defaultApproval?"],
    ],
  },
  TurnEngineOpts: {
    section: "6.2",
    members: [
      ...["provider", "registry", "permissions", "model", "instructions", "genSessionNamePrompt?", "lang?"],
      ...["maxIterations?", "finalizeOnMaxIterations?", "reasoningEffort?", "messages?", "hook?", "contextWindow?"],
      ...["thresholdPct?", "softThresholdPct?", "capTokens?", "toolResultDir?"],
    ],
  },
  TurnEngine: {
    section: "6.3, 12",
    members: [
      ...["model", "messages", "permissions", "registry", "compactionState", "approver", "setApprover"],
      ...["setSystemPrompt", "requestInterrupt", "queueSteering", "removeSteering", "run", "retry", "resume"],
    ],
  },
  TerminalSource: { section: "7.1", members: [] },
  ToolRegistry: {
    section: "7.2",
    members: ["register", "remove", "disable", "enable", "schemas"],
  },
  ToolSpec: { section: "7.2", members: [] },
  ToolSchema: { section: "7.2", members: ["type", "function"] },
  ToolMetadata: { section: "7.2", members: ["category", "riskLevel", "capabilities", "requiresApproval"] },
  PermissionEngine: {
    section: "8",
    members: ["evaluate", "mode", "sandbox", "allowToolForSession", "allowCommandForSession"],
  },
  Decision: { section: "8.1", members: ["allowed", "reason", "needsUser"] },
  Mode: { section: "8.2", members: [] },
  Approver: { section: "8.3", members: [] },
  PermissionRequest: { section: "8.3", members: ["toolName", "arguments", "metadata", "reason", "toolCallId?"] },
  ApprovalOutcome: { section: "8.3", members: [] },
  WsEvent: { section: "9.1", members: ["type", "data"] },
  OpenAIProvider: { section: "10.1", members: ["stream", "chat"] },
  ProviderClient: { section: "10.2", members: ["stream", "chat"] },
  McpManager: {
    section: "15",
    members: [
      ...["connectAll", "connectServer", "refresh", "attach", "closeAll", "addConfig", "updateConfig"],
      "removeConfig",
    ],
  },
  McpBuiltinContext: { section: "15.1, 18.4", members: ["workspace?", "env?", "llm?"] },
  Message: { section: "10.2", members: ["role", "content"] },
  RequestOptions: { section: "10.2", members: [] },
  StreamOpts: { section: "10.2", members: ["reqId", "logTime", "signal?"] },
  StreamChunk: { section: "10.2", members: ["content", "reasoning", "toolCalls", "usage", "finishReason"] },
  ToolCall: { section: "10.2", members: [] },
  TokenUsage: { section: "10.2", members: [] },
  EngineHook: {
    section: "11.1",
    members: [
      ...["onTurnStart?", "onTurnEnd?", "onAssistantDelta?", "onReasoningDelta?", "onAssistantMessage?"],
      ...["onToolProposed?", "onToolStarted?", "onToolFinished?", "onPermissionRequired?", "onIterationEnd?"],
      ...["onCompacting?", "onCompacted?", "onError?", "onRetry?", "onInterrupted?", "onEvent?"],
    ],
  },
  FileLogHook: { section: "11.3", members: ["saveState", "onPaused", "onResumed"] },
  SavedState: {
    section: "11.3",
    members: [
      ...["sessionId", "model", "messages", "compaction", "savedAt", "name?", "nameSource?", "taskCount?"],
      ...["permissionMode?", "allowTools?", "allowCommands?"],
    ],
  },
  MessageAttachment: { section: "13.1", members: ["name", "mimeType", "dataUrl"] },
  StoredAttachment: { section: "13.1", members: ["name", "mimeType", "size", "path"] },
  AgentRegistry: {
    section: "16.2",
    members: ["add", "update", "switch", "buildSystemPrompt", "currentDef"],
  },
  SessionVcs: {
    section: "17.2",
    members: ["listTurns", "diffTurn", "restoreTurn", "forget", "beginTurn", "commitTurn"],
  },
  VcsHook: { section: "17.2", members: ["onTurnStart", "onTurnEnd"] },
};

/** Values of the enumerations (8.2, 8.3, 9.2). */
export const enumerations: Record<string, Record<string, string>> = {
  Mode: { DISCUSS: "discuss", PLAN: "plan", INTERACTIVE: "interactive", AUTO: "auto" },
  ApprovalOutcome: {
    ...{ ONCE: "once", ALWAYS_TOOL: "always_tool", ALWAYS_COMMAND: "always_command", DENY: "deny" },
  },
};

/** Constants of 6.1 and 13.1. */
export const constants: Record<string, unknown> = {
  DEFAULT_MAX_ITERATIONS: 800,
  MAX_ATTACHMENTS: 4,
  MAX_ATTACHMENT_BYTES: 10 * 1024 * 1024,
  ATTACHMENT_DIR: "attachments",
};

/** Events of 9.2 with the fields that it names. `?`: not in every such event. */
export const events: Record<string, string[]> = {
  turn_start: ["taskId", "input", "attachmentCount?", "attachments?"],
  assistant_delta: ["text", "reqId", "taskId"],
  reasoning_delta: ["text", "reqId", "taskId"],
  assistant_message: ["text", "reasoning", "tool_calls", "usage?", "reqId", "taskId", "logTime"],
  tool_proposed: ["reqId", "name", "arguments", "taskId"],
  permission_required: ["taskId", "reqId", "name", "arguments", "reason", "category"],
  tool_started: ["taskId", "reqId", "name", "startTime?"],
  tool_finished: ["taskId", "reqId", "name", "status", "reason?", "duration?", "result_preview?"],
  iteration_end: ["iteration", "taskId"],
  turn_end: ["status", "iterations", "produced_files", "taskId"],
  error: ["error", "error_type", "retriable", "iteration", "reqId", "logTime", "taskId", "stack?"],
  interrupted: ["iterations", "reqId", "taskId"],
  compacting: [
    ...["taskId", "trigger", "tokens", "estimated", "contextWindow", "thresholdPct", "thresholdTokens"],
    "outboundMessages",
  ],
  compacted: [
    ...["reqId", "taskId", "method", "messagesBefore", "messagesAfter", "boundaryIndex?", "model?"],
    ...["summaryPreview?", "keptUserMessages?", "droppedUserMessages?"],
  ],
  queue_steering: ["text", "taskId", "attachments?"],
  llm_request: ["reqId", "taskId", "logTime", "model", "msgCount", "toolCount", "compact?"],
  ask_user_question: ["taskId", "question", "options", "allowText", "multi"],
  plan_proposed: ["plan"],
  directory_requested: ["reason", "path", "writable"],
  llm_retry: ["attempt", "max", "reason", "waitMs", "iteration", "reqId"],
  session_named: ["name", "source"],
};

/** Environment variables (7.2, 10.1, 14.3, 16.1, 20.2), read by the library or, where the guide says "server", by the command. */
export const variables = [
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_REASONING_EFFORT", "OPENAI_FORCE_API_MODE"],
  ...["OPENAI_MAX_RETRIES", "OPENAI_TIMEOUT_MS", "OPENAI_STREAM_IDLE_MS", "SOCKS5_PROXY", "MAX_ITERATIONS"],
  ...["CONTEXT_WINDOW", "COMPACTION_THRESHOLD_PCT", "COMPACTION_SOFT_THRESHOLD_PCT", "COMPACTION_CAP_TOKENS"],
  ...["COMPACTION_MODEL", "COMPACTION_REASONING_EFFORT", "COMPACTION_ELIDE", "COMPACTION_DEDUP"],
  ...["NETWORK_RETRY_MAX", "NETWORK_RETRY_BASE_MS", "TOOL_RESULT_MAX_CHARS", "TOOL_RESULT_SAVE_THRESHOLD"],
  ...["TOOL_RESULT_DIR", "EXPLORE_MAX_ITERATIONS", "MCP_CALL_TIMEOUT_MS", "ZQAGENT_MCP_LAZY"],
];

/** Variables of chapters that are not built yet. */
export const variablesNotYet: string[] = [];

/** The 21 tools of 7.1, and which of them are read-only, write, run, reach out. */
export const tools: Record<string, string[]> = {
  "read-only": ["read_file", "list_files", "grep", "git_log", "git_status", "git_diff", "todo_write", "explore"],
  interactive: ["ask_user", "propose_plan", "request_directory"],
  write: ["write_file", "replace_in_file", "apply_patch", "apply_unified_diff"],
  execution: ["run_shell", "shell_task_output", "shell_task_kill"],
  external: ["web_search", "web_fetch", "media"],
};
