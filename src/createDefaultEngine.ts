/** The whole engine in one call (guide 6.1): provider, tools, permissions, prompt, hooks, fallback approver. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEnvBlock, today } from "./agents/environment";
import { registerExploreTool } from "./agents/explore";
import { type AgentType, buildInstructions } from "./agents/instructions";
import { TurnEngine } from "./engine/TurnEngine";
import { CompositeHook } from "./hooks/CompositeHook";
import { VcsHook } from "./hooks/VcsHook";
import { type Mode, PermissionEngine, type ShellPolicy } from "./permissions/PermissionEngine";
import { OpenAIProvider } from "./providers/OpenAIProvider";
import { ApprovalOutcome, type Approver, type ProviderClient } from "./shared/contracts";
import type { EngineHook } from "./shared/EngineHook";
import { textFrom } from "./shared/env";
import { ZqError } from "./shared/errors";
import { DEFAULT_LANG, isLang, type Lang, PROMPT_LANGS } from "./shared/lang";
import type { Message } from "./shared/messages";
import { resolveModel } from "./shared/models";
import { WorkspaceRoots } from "./shared/paths";
import { registerAskTool } from "./tools/ask";
import { ConflictGuard } from "./tools/ConflictGuard";
import { registerDiffTools } from "./tools/diff";
import { registerDirectoryTool } from "./tools/directories";
import { registerFileTools } from "./tools/fs";
import { registerGitTools } from "./tools/git";
import { registerMediaTool } from "./tools/media";
import { registerPlanTool } from "./tools/plan";
import { registerSearchTool } from "./tools/search";
import { registerShellTool } from "./tools/shell";
import { registerTodoTool, type TodoList } from "./tools/todo";
import { ToolRegistry } from "./tools/ToolRegistry";
import { registerWebTools } from "./tools/web";
import { SessionVcs } from "./vcs/SessionVcs";
import { resolveVcsPlan, type VcsMode } from "./vcs/plan";

/** The order in which the model sees the 21 tools; it never changes within a session, so that prefix caches hit. */
const TOOL_ORDER = [
  "read_file",
  "list_files",
  "grep",
  "write_file",
  "replace_in_file",
  "apply_patch",
  "apply_unified_diff",
  "run_shell",
  "shell_task_output",
  "shell_task_kill",
  "git_status",
  "git_diff",
  "git_log",
  "web_search",
  "web_fetch",
  "todo_write",
  "ask_user",
  "propose_plan",
  "request_directory",
  "explore",
  "media",
];
