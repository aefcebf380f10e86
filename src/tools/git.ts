/** git_status, git_diff and git_log (guide 7.1): they run unasked, so they start nothing that the repository names. */

import { relative, sep } from "node:path";
import diffDescription from "../../prompts/tools/git_diff.md";
import logDescription from "../../prompts/tools/git_log.md";
import statusDescription from "../../prompts/tools/git_status.md";
import type { JsonSchema, ToolResult } from "../shared/contracts";
import { messageOf } from "../shared/errors";
import { type GitReader, readGit } from "../shared/git";
import { realPathOf, WorkspaceRoots } from "../shared/paths";
import { diffText, MOST_DIFF_CHARS } from "./git/diffText";
import { statusText } from "./git/statusText";
import type { ToolRegistry } from "./ToolRegistry";

export interface GitToolOptions {
  /** The session's places; default is the workspace alone. */
  roots?: WorkspaceRoots | undefined;
}

type Args = Record<string, unknown>;

/** Registers the three git tools. They never throw: what goes wrong is in the result. */
export function registerGitTools(registry: ToolRegistry, workspace: string, options: GitToolOptions = {}): void {
  const roots = options.roots ?? new WorkspaceRoots(workspace);
  const metadata = { category: "git", riskLevel: "low" as const, capabilities: ["read"], requiresApproval: false };
  for (const tool of tools) {
    registry.register(
      (args, ctx) =>
        answer(tool, { workspace: roots.workspace, roots, args, ...(ctx?.signal && { signal: ctx.signal }) }),
      metadata,
      {
        type: "function",
        function: { name: tool.name, description: tool.description.trim(), parameters: tool.parameters },
      },
    );
  }
}

interface Call {
  workspace: string;
  roots: WorkspaceRoots;
  args: Args;
  signal?: AbortSignal;
}

interface GitTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  run(git: GitReader, call: Call): Promise<string>;
}

async function answer(tool: GitTool, call: Call): Promise<ToolResult> {
  try {
    const fault = faultOf(call);
    if (fault) return { content: fault, status: "error" };
    const git = await readGit(call.workspace, call.signal);
    if (!git) return { content: "Not a git repository.", status: "ok" };
    return { content: await tool.run(git, call), status: "ok" };
  } catch (error) {
    return { content: messageOf(error), status: call.signal?.aborted ? "interrupted" : "error" };
  }
}

/** No argument may pass for an option, and no path may lead outside. */
function faultOf({ roots, args }: Call): string | null {
  const { ref, path } = args;
  if (ref !== undefined && (typeof ref !== "string" || refsOf(ref) === null)) {
    return `Not a commit, branch or range: ${JSON.stringify(ref)}.`;
  }
  if (path !== undefined && typeof path !== "string") return "path must be a text.";
  if (typeof path === "string" && !roots.mayRead(path)) {
    return `Path is outside the workspace: ${path}. Use request_directory to ask for access.`;
  }
  return null;
}

/** One or several revisions, or null when one could be an option or holds a control character. */
function refsOf(ref: string): string[] | null {
  if (/[\x00-\x1f\x7f]/.test(ref)) return null;
  const refs = ref.split(" ").filter(Boolean);
  return refs.some((name) => name.startsWith("-")) ? null : refs;
}

function pathsOf(git: GitReader, { workspace, roots, args }: Call, whole: string[]): string[] {
  if (typeof args.path === "string") return ["--", `:(literal)${roots.show(args.path)}`];
  // In a repository that begins above the workspace only the workspace is shown.
  return realPathOf(workspace) === git.root ? whole : ["--", "."];
}

async function status(git: GitReader, call: Call): Promise<string> {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--ignore-submodules=dirty"];
  const { text } = await git.run([...args, ...pathsOf(git, call, [])], signalOf(call));
  const prefix = relative(git.root, realPathOf(call.workspace)).split(sep).join("/");
  return statusText(text, prefix && `${prefix}/`);
}

async function diff(git: GitReader, call: Call): Promise<string> {
  const { args } = call;
  const refs = typeof args.ref === "string" ? (refsOf(args.ref) ?? []) : [];
  const what = [...(args.staged === true ? ["--cached"] : []), ...refs, ...pathsOf(git, call, ["--"])];
  const summary = await git.run(["diff", ...plain, "--stat=120", "--stat-count=100", ...what], signalOf(call));
  if (summary.text.trim() === "") return "No differences.";
  if (args.stat === true) return summary.text.trimEnd();
  const patch = await git.run(["diff", ...plain, "--patch", ...what], { ...signalOf(call), maxBytes: MOST_BYTES });
  return diffText(summary.text, patch.text, patch.cut);
}

async function log(git: GitReader, call: Call): Promise<string> {
  const { args } = call;
  const count = typeof args.max_count === "number" ? Math.min(Math.max(Math.trunc(args.max_count), 1), 200) : 20;
  const refs = refsOf(typeof args.ref === "string" && args.ref.trim() ? args.ref : "HEAD") ?? [];
  const withPatch = args.patch === true ? ["--patch", ...plain] : [];
  const flags = [`--max-count=${count}`, "--format=%h %ad %an %s", "--date=short", "--no-color", "--no-decorate"];
  const command = ["log", ...flags, ...withPatch, ...refs, ...pathsOf(git, call, ["--"])];
  if (!args.ref && (await isUnborn(git, call))) return "No commits yet.";
  const { text, cut } = await git.run(command, { ...signalOf(call), maxBytes: MOST_BYTES });
  if (text.trim() === "") return "No commits.";
  return withPatch.length > 0 ? diffText("", text, cut) : text.trimEnd();
}

async function isUnborn(git: GitReader, call: Call): Promise<boolean> {
  const { text } = await git.run(["rev-list", "--max-count=1", "--all", "HEAD", "--"], signalOf(call)).catch(() => ({
    text: "",
  }));
  return text === "";
}

/** No colours, no program for showing a file, nothing of what lies in a submodule. */
const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--submodule=short"];
const MOST_BYTES = MOST_DIFF_CHARS * 4;

function signalOf(call: Call): { signal?: AbortSignal } {
  return call.signal ? { signal: call.signal } : {};
}

const path: JsonSchema = { type: "string", description: "Limit to this path." };

const tools: GitTool[] = [
  {
    name: "git_status",
    description: statusDescription,
    run: status,
    parameters: { type: "object", additionalProperties: false, required: [], properties: { path } },
  },
  {
    name: "git_diff",
    description: diffDescription,
    run: diff,
    parameters: {
      type: "object",
      additionalProperties: false,
      required: [],
      properties: {
        ref: { type: "string", description: "Commit or range, e.g. `HEAD` or `main...HEAD`." },
        staged: { type: "boolean", description: "Show what is staged." },
        path,
        stat: { type: "boolean", description: "Only the summary per file." },
      },
    },
  },
  {
    name: "git_log",
    description: logDescription,
    run: log,
    parameters: {
      type: "object",
      additionalProperties: false,
      required: [],
      properties: {
        ref: { type: "string", description: "Branch, tag or range.", default: "HEAD" },
        path: { type: "string", description: "Only commits that touch this path." },
        max_count: { type: "integer", description: "Number of commits.", default: 20, minimum: 1, maximum: 200 },
        patch: { type: "boolean", description: "Include each commit's diff." },
      },
    },
  },
];
