/** The table of roles: name, description, prompt and, if wanted, a model (guide 16.2). In memory only. */

import { ZqError } from "../shared/errors";
import type { Lang } from "../shared/lang";
import { type AgentType, buildInstructions } from "./instructions";
import { projectInstructions } from "./projectInstructions";

/** A role. Without `prompt` it is one of the built-in ones, whose text depends on the language. */
export interface AgentDef {
  name: string;
  description: string;
  prompt?: string;
  model?: string;
}

/** The roles that are always there. */
export const BUILTIN_AGENTS: readonly AgentDef[] = [
  { name: "code", description: "Coding assistant: reads, changes and checks a code base" },
  { name: "cowork", description: "General collaborator: research, documents, data" },
];

export class AgentRegistry {
  private readonly agents = new Map<string, AgentDef>(BUILTIN_AGENTS.map((agent) => [agent.name, { ...agent }]));
  private currentName = "code";

  /** The role in use. */
  get currentDef(): AgentDef {
    return this.known(this.currentName);
  }

  list(): AgentDef[] {
    return [...this.agents.values()];
  }

  get(name: string): AgentDef | undefined {
    return this.agents.get(name);
  }

  /** Adds a role; a name that exists is replaced. Throws when the name is empty, or a new role has no prompt. */
  add(agent: AgentDef): void {
    if (!agent.name.trim()) throw new ZqError("invalid_agent", "AgentRegistry.add: name must not be empty.");
    if (agent.prompt === undefined && !isBuiltin(agent.name)) {
      throw new ZqError("invalid_agent", `AgentRegistry.add: prompt is missing for "${agent.name}".`);
    }
    this.agents.set(agent.name, { ...agent });
  }

  /** Changes fields of a role. Throws when there is no such role. */
  update(name: string, change: Partial<Omit<AgentDef, "name">>): void {
    this.agents.set(name, { ...this.known(name), ...change, name });
  }

  /** Removes a role; the current and the built-in ones stay. Returns whether one was removed. */
  remove(name: string): boolean {
    return name === this.currentName || isBuiltin(name) ? false : this.agents.delete(name);
  }

  /** Makes a role the current one. Throws when there is no such role. */
  switch(name: string): AgentDef {
    const agent = this.known(name);
    this.currentName = name;
    return agent;
  }

  /** The system prompt of a role (guide 16.2). Throws when there is no such role. */
  buildSystemPrompt(name: string, workspace: string, today: string, lang: Lang): string {
    const agent = this.known(name);
    if (agent.prompt === undefined) return buildInstructions(name as AgentType, workspace, today, lang);
    return [agent.prompt, projectInstructions(workspace)].filter((part) => part !== "").join("\n\n");
  }

  private known(name: string): AgentDef {
    const agent = this.agents.get(name);
    if (agent) return agent;
    const names = [...this.agents.keys()].join(", ");
    throw new ZqError("unknown_agent", `There is no agent "${name}". Known: ${names}.`);
  }
}

function isBuiltin(name: string): boolean {
  return BUILTIN_AGENTS.some((agent) => agent.name === name);
}
