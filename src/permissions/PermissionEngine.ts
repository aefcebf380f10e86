/** Allow, deny or ask: the decision on one tool call (guide 8). */

import type { Decision, ToolMetadata } from "../shared/contracts";
import { WorkspaceRoots } from "../shared/paths";

/** Run modes (guide 8.2). */
export const Mode = { DISCUSS: "discuss", PLAN: "plan", INTERACTIVE: "interactive", AUTO: "auto" } as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

export type ShellPolicy = "approve" | "sandbox" | "workspace" | "all";

/** What the permission engine is told of the sandbox; policy and force are apart. */
export interface SandboxState {
  enforced: boolean;
  mode?: string;
}

export interface PermissionOptions {
  workspaceRoot: string;
  mode?: Mode;
  allowedCommands?: string[];
  shellPolicy?: ShellPolicy;
  sandbox?: SandboxState;
  /** Addition: the places shared with the file tools; default is the workspace alone. */
  roots?: WorkspaceRoots;
}

export class PermissionEngine {
  mode: Mode;
  shellPolicy: ShellPolicy;
  sandbox: SandboxState;
  readonly roots: WorkspaceRoots;

  constructor(options: PermissionOptions) {
    this.mode = options.mode ?? Mode.INTERACTIVE;
    this.shellPolicy = options.shellPolicy ?? "approve";
    this.sandbox = options.sandbox ?? { enforced: false };
    this.roots = options.roots ?? new WorkspaceRoots(options.workspaceRoot);
  }

  evaluate(_toolName: string, _args: Record<string, unknown>, _metadata: ToolMetadata | null): Decision {
    throw new Error("owner to write");
  }

  allowToolForSession(_name: string): void {}
  allowCommandForSession(_command: string): void {}
  get sessionTools(): string[] {
    return [];
  }
  get sessionCommands(): string[] {
    return [];
  }
}
