/** The table of tools that a model may call (guide 7.2). */

import type { ToolContext, ToolFunction, ToolMetadata, ToolResult, ToolSchema, ToolSpec } from "../shared/contracts";

export class ToolRegistry {
  private readonly specs = new Map<string, ToolSpec>();

  /** Registers a tool; the same name again replaces the old one, in its place (guide 7.2). */
  register(func: ToolFunction, metadata: ToolMetadata, schema?: ToolSchema, source = "internal"): ToolSpec {
    const name = schema?.function.name ?? func.name;
    const spec: ToolSpec = {
      name,
      func,
      metadata,
      schema: schema ?? { type: "function", function: { name, parameters: { type: "object", properties: {} } } },
      source,
      enabled: true,
    };
    this.specs.set(name, spec);
    return spec;
  }

  get(name: string): ToolSpec | undefined {
    return this.specs.get(name);
  }

  /** All tools in order of registration. */
  list(): ToolSpec[] {
    return [...this.specs.values()];
  }

  /** What the model sees: enabled tools, in order of registration. */
  schemas(): ToolSchema[] {
    return this.list()
      .filter((spec) => spec.enabled)
      .map((spec) => spec.schema);
  }

  remove(name: string): boolean {
    return this.specs.delete(name);
  }

  disable(_name: string): void {}
  enable(_name: string): void {}

  /** The registered name that the model meant (`ReadFile` → `read_file`), if exactly one fits. */
  resolveName(_name: string): string | undefined {
    throw new Error("owner to write");
  }

  /** Arguments as the tool wants them, or the one sentence that names every fault (never throws). */
  parseArguments(_name: string, _raw: unknown): { args: Record<string, unknown> } | { fault: string } {
    throw new Error("owner to write");
  }

  /** Runs a tool; whatever it returns or throws becomes a `ToolResult` (never rejects). */
  async call(_name: string, _args: Record<string, unknown>, _ctx?: ToolContext): Promise<ToolResult> {
    throw new Error("owner to write");
  }
}
