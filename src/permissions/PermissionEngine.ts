/** Allow, deny or ask: the decision on one tool call (guide 8). */

import type { Decision, ToolMetadata } from "../shared/contracts";
import { ZqError } from "../shared/errors";
import { WorkspaceRoots } from "../shared/paths";
import { CommandRules, sessionRuleOf } from "./commandRules";
import { isProtected } from "./protectedFiles";
import { isDeniedToRead } from "./readDenials";
import { RiskClass, riskClassOf } from "./riskClass";
import { staysInside } from "./workspaceCommand";
import { isReadable, isWritable, writtenPaths } from "./writePaths";

export { RiskClass, riskClassOf } from "./riskClass";

/** Run modes (guide 8.2). */
export const Mode = { DISCUSS: "discuss", PLAN: "plan", INTERACTIVE: "interactive", AUTO: "auto" } as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

/** When shell commands need no approval (guide 8.4). */
export type ShellPolicy = "approve" | "sandbox" | "workspace" | "all";

/** What the permission engine is told of the sandbox; policy and force are apart. */
export interface SandboxState {
  enforced: boolean;
  mode?: string | undefined;
}

export interface PermissionOptions {
  workspaceRoot: string;
  mode?: Mode | undefined;
  /** Command prefixes that run without asking (guide 8.5). */
  allowedCommands?: string[] | undefined;
  shellPolicy?: ShellPolicy | undefined;
  sandbox?: SandboxState | undefined;
  /** Addition: the places shared with the file tools; default is the workspace alone. */
  roots?: WorkspaceRoots | undefined;
}

const READ_ONLY_DENIAL = "Read-only mode: finish with propose_plan.";

export class PermissionEngine {
  mode: Mode;
  shellPolicy: ShellPolicy;
  sandbox: SandboxState;
  readonly roots: WorkspaceRoots;
  private readonly commands: CommandRules;
  private readonly tools = new Set<string>();

  /** Throws a `ZqError` that names the option where one is wrong. */
  constructor(options: PermissionOptions) {
    checkOptions(options);
    this.mode = options.mode ?? Mode.INTERACTIVE;
    this.shellPolicy = options.shellPolicy ?? "approve";
    this.sandbox = options.sandbox ?? { enforced: false };
    this.roots = options.roots ?? new WorkspaceRoots(options.workspaceRoot);
    this.commands = new CommandRules(options.allowedCommands);
  }

  /** Decides in the guide's fixed order (8.1). Never throws; looks at the disk only to resolve paths. */
  evaluate(toolName: string, args: Record<string, unknown>, metadata: ToolMetadata | null): Decision {
    const risk = riskClassOf(metadata);
    const paths = writtenPaths({ args, metadata, risk });
    return (
      this.readOnlyMode(risk) ??
      this.placement(risk, args, paths) ??
      (risk === RiskClass.READ ? this.reading(args) : undefined) ??
      this.protectedFile(paths) ??
      (this.mode === Mode.AUTO ? allow("Auto mode.") : undefined) ??
      this.shell(risk, args) ??
      (this.tools.has(actingName(toolName, args, metadata))
        ? allow("The tool is allowed for this session.")
        : undefined) ??
      this.question(risk, args, metadata)
    );
  }

  /** "Always allow this tool" for the session (guide 8.3). Protected files still ask. */
  allowToolForSession(name: string): void {
    this.tools.add(name);
  }

  /**
   * "Always allow this command" for the session (guide 8.5): remembers the program of a simple command, or the very
   * command for shells, interpreters and wrappers. Of anything else nothing is remembered.
   */
  allowCommandForSession(command: string): void {
    this.commands.allowForSession(command);
  }

  /**
   * Addition: what `allowCommandForSession` would remember of a command (a program, or the very command), or undefined
   * where that is nothing.
   */
  commandRuleFor(command: string): string | undefined {
    return sessionRuleOf(command);
  }

  /** The tools allowed for the session, in order (guide 11.3, `allowTools`). */
  get sessionTools(): string[] {
    return [...this.tools];
  }

  /** The commands allowed for the session, as `allowCommandForSession` takes them back (guide 11.3, `allowCommands`). */
  get sessionCommands(): string[] {
    return this.commands.sessionList;
  }

  private readOnlyMode(risk: RiskClass): Decision | undefined {
    const readOnly = this.mode === Mode.DISCUSS || this.mode === Mode.PLAN;
    const changes = risk === RiskClass.WRITE || risk === RiskClass.EXECUTE;
    return readOnly && changes ? deny(READ_ONLY_DENIAL) : undefined;
  }

  private placement(risk: RiskClass, args: Record<string, unknown>, paths: string[]): Decision | undefined {
    const outside = paths.find((path) => !isWritable(this.roots, path));
    if (outside !== undefined) {
      return deny(`Path is outside the workspace: ${outside}. Use request_directory to ask for access.`);
    }
    if (risk !== RiskClass.EXECUTE) return undefined;
    if (typeof args.command === "string" && args.command.includes("\0")) {
      return deny("The command contains a NUL character; no shell can run it.");
    }
    if (typeof args.cwd === "string" && !isReadable(this.roots, args.cwd)) {
      return deny(`The folder cwd is outside the workspace: ${args.cwd}. Use request_directory to ask for access.`);
    }
    return undefined;
  }

  private reading(args: Record<string, unknown>): Decision {
    const secret = typeof args.path === "string" && isDeniedToRead(this.roots, args.path);
    return secret ? deny(`Not readable for tools: ${String(args.path)}.`) : allow("It only reads.");
  }

  private protectedFile(paths: string[]): Decision | undefined {
    const guarded = paths.find((path) => isProtected(this.roots, path));
    if (guarded === undefined) return undefined;
    const reason = `${guarded} is a protected file: a program may run what it says. It is asked about every time.`;
    return { allowed: false, needsUser: true, reason, protectedFile: true };
  }

  private shell(risk: RiskClass, args: Record<string, unknown>): Decision | undefined {
    const { command, cwd } = args;
    if (risk !== RiskClass.EXECUTE || typeof command !== "string") return undefined;
    if (this.shellPolicy === "all") return allow("The shell policy allows all commands.");
    if (this.shellPolicy !== "approve" && this.sandbox.enforced) return allow("It runs in the sandbox.");
    if (this.shellPolicy === "workspace" && staysInside(this.roots, command, typeof cwd === "string" ? cwd : undefined))
      return allow("It stays in the workspace.");
    const verdict = this.commands.judge(command);
    return verdict.allowed ? allow(`Allowed command: ${verdict.rule}.`) : undefined;
  }

  private question(risk: RiskClass, args: Record<string, unknown>, metadata: ToolMetadata | null): Decision {
    return { allowed: false, needsUser: true, reason: this.reason(risk, args, metadata) };
  }

  private reason(risk: RiskClass, args: Record<string, unknown>, metadata: ToolMetadata | null): string {
    if (risk === RiskClass.EXECUTE) return this.commandReason(args.command);
    if (risk === RiskClass.EXTERNAL) return "It reaches out to the network.";
    return metadata?.category === "mcp" ? "It calls a tool of an MCP server." : "It changes something.";
  }

  /** Where there is an allow list, it says too why the list does not cover the command. */
  private commandReason(command: unknown): string {
    const verdict = typeof command === "string" && this.commands.hasRules ? this.commands.judge(command) : undefined;
    const why = verdict && !verdict.allowed ? verdict.why : undefined;
    return why ? `It runs a command; no allow list covers it, because ${why}.` : "It runs a command.";
  }
}

function allow(reason: string): Decision {
  return { allowed: true, needsUser: false, reason };
}

function deny(reason: string): Decision {
  return { allowed: false, needsUser: false, reason };
}

function checkOptions(options: PermissionOptions): void {
  const { workspaceRoot, mode, shellPolicy, allowedCommands, sandbox = {} } = options ?? {};
  const modes: unknown[] = [undefined, ...Object.values(Mode)];
  const policies: unknown[] = [undefined, "approve", "sandbox", "workspace", "all"];
  const isList = allowedCommands === undefined || (Array.isArray(allowedCommands) && allowedCommands.every(isText));
  if (!isText(workspaceRoot) || workspaceRoot.trim() === "") throw wrong("workspaceRoot", "a folder");
  if (!modes.includes(mode)) throw wrong("mode", "discuss, plan, interactive or auto");
  if (!policies.includes(shellPolicy)) throw wrong("shellPolicy", "approve, sandbox, workspace or all");
  if (!isList) throw wrong("allowedCommands", "a list of command prefixes");
  if (typeof sandbox !== "object" || sandbox === null) throw wrong("sandbox", "what resolveSandbox gives");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function wrong(option: string, wanted: string): ZqError {
  return new ZqError("invalid_option", `PermissionEngine: ${option} must be ${wanted}.`);
}

/** The tool that a call is really about; what cannot say so, or throws, is itself. */
export function actingName(toolName: string, args: Record<string, unknown>, metadata: ToolMetadata | null): string {
  try {
    return metadata?.actsAs?.(args) ?? toolName;
  } catch {
    return toolName;
  }
}
