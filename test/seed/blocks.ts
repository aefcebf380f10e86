/** Every code block of the guide, by section and in its order, and the program here that makes the same calls. */

export interface Block {
  /** Section of the guide, with a letter where it has several blocks. */
  section: string;
  shows: string;
  /** The file under `programs/` (without its ending) that makes the calls. */
  program?: string;
  /** Where the block is held instead, or why nothing can run it. */
  elsewhere?: string;
  /** The chapter is not built yet; the surface test notices when it is. */
  notYet?: true;
}

const types = "a declaration; the programs are type-checked against it";

export const blocks: Block[] = [
  { section: "3.2", shows: "npm i", elsewhere: "needs a registry; the tarball is unpacked under the alias instead" },
  { section: "3.3", shows: "tsconfig", elsewhere: "programs.test.ts type-checks every program with these options" },
  { section: "3.4", shows: "the 12 sub-paths", program: "sub-paths" },
  { section: "4a", shows: "the first script", program: "quick-start" },
  { section: "4b", shows: "export OPENAI_…", elsewhere: "the environment of every program here" },
  { section: "6.1", shows: "createDefaultEngine", program: "path-a" },
  { section: "6.2", shows: "new TurnEngine", program: "path-b" },
  { section: "6.3", shows: "what can be changed at run time", program: "runtime" },
  { section: "7.1", shows: "registerTerminalTools", program: "terminals" },
  { section: "7.2a", shows: "type Register", elsewhere: types },
  { section: "7.2b", shows: "registry.register", program: "custom-tool" },
  { section: "7.3", shows: "registerReadOnlyFileTools", program: "read-only-tools" },
  { section: "8.1", shows: "interface Decision", program: "decisions" },
  { section: "8.2", shows: "enum Mode", program: "decisions" },
  { section: "8.3", shows: "Approver, PermissionRequest, ApprovalOutcome", program: "approvals" },
  { section: "8.4", shows: "sandbox options", program: "sandbox-options" },
  { section: "8.5", shows: "allowedCommands", program: "allow-list" },
  { section: "9.1a", shows: "interface WsEvent", elsewhere: types },
  { section: "9.1b", shows: "the order of events", program: "events" },
  { section: "9.3", shows: "toSse and a route", program: "sse" },
  { section: "10.1", shows: "new OpenAIProvider", program: "provider" },
  { section: "10.2a", shows: "interface ProviderClient", program: "custom-provider" },
  { section: "10.2b", shows: "interface StreamChunk", program: "custom-provider" },
  { section: "10.3", shows: "reasoningEffort", program: "reasoning" },
  { section: "11.2", shows: "new CompositeHook", program: "hooks" },
  { section: "11.3a", shows: "FileLogHook, loadState, saveState", program: "save-and-restore" },
  { section: "11.3b", shows: "interface SavedState", program: "save-and-restore" },
  { section: "12.1", shows: "two turns", program: "turns" },
  { section: "12.2", shows: "requestInterrupt", program: "interrupt" },
  { section: "12.3", shows: "retry", program: "retry" },
  { section: "12.4", shows: "resume", program: "resume" },
  { section: "12.5a", shows: "queueSteering", program: "steering" },
  { section: "12.5b", shows: "removeSteering", program: "steering" },
  { section: "13.1a", shows: "MessageAttachment, StoredAttachment", program: "attachments" },
  { section: "13.1b", shows: "normalizeAttachments, saveAttachments, run", program: "attachments" },
  { section: "13.1c", shows: "readStoredAttachment", program: "attachments" },
  { section: "14.2", shows: "compacting, compacted", program: "compaction" },
  { section: "14.3", shows: "contextWindow, thresholds, cap", program: "compaction" },
  { section: "15.1", shows: "McpManager", program: "mcp" },
  { section: "15.2", shows: "mcp.json", program: "mcp-configs" },
  { section: "15.4", shows: "lazy loading", program: "mcp-lazy" },
  { section: "15.5", shows: "connectServer, refresh, attach, closeAll", program: "mcp" },
  { section: "16.1a", shows: "subagentHookFactory", program: "explore" },
  { section: "16.1b", shows: "registerExploreTool", program: "explore" },
  { section: "16.2", shows: "AgentRegistry", program: "agents" },
  { section: "17.1", shows: "vcs", program: "snapshots" },
  { section: "17.2", shows: "SessionVcs", program: "snapshots" },
  { section: "18.1", shows: "HTTP service", program: "http-service" },
  { section: "18.3", shows: "unattended worker", program: "worker" },
  { section: "20.1", shows: "the names of the main entry", elsewhere: "surface.test.ts holds them against the build" },
  { section: "22", shows: "pnpm build", elsewhere: "commands of another repository; ours are in CONTRIBUTING.md" },
];
