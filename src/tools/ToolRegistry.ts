/** The table of tools that a model may call (guide 7.2). */

import type { ToolContext, ToolFunction, ToolMetadata, ToolResult, ToolSchema, ToolSpec } from "../shared/contracts";
import { type ParsedArguments, parseToolArguments } from "./arguments";
import { resolveToolName, unknownToolSentence } from "./toolNames";
import { resultOf, resultOfError } from "./toolReturns";

export class ToolRegistry {
  private readonly specs = new Map<string, ToolSpec>();

  /**
   * Registers a tool; the same name again replaces the old one, in its place (guide 7.2). The name comes from the
   * schema, without one from the function, and then the tool has no parameters to show.
   */
  register(func: ToolFunction, metadata: ToolMetadata, schema?: ToolSchema, source = "internal"): ToolSpec {
    if (typeof func !== "function") throw new TypeError("ToolRegistry.register: func must be a function.");
    if (typeof metadata !== "object" || metadata === null) {
      throw new TypeError(
        "ToolRegistry.register: metadata must be { category, riskLevel, capabilities, requiresApproval }.",
      );
    }
    const name = schema?.function.name || func.name;
    if (!name) throw new TypeError("A tool needs a name: give a schema, or a function that has one.");
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

  /** Hides a tool from the model; the host may still call it. */
  disable(name: string): void {
    const spec = this.specs.get(name);
    if (spec) spec.enabled = false;
  }

  enable(name: string): void {
    const spec = this.specs.get(name);
    if (spec) spec.enabled = true;
  }

  /** The registered name that the model meant (`ReadFile` → `read_file`), if exactly one fits. Hidden tools do not. */
  resolveName(name: string): string | undefined {
    return resolveToolName(name, this.visibleNames());
  }

  /**
   * Arguments as the tool wants them, or the one sentence that names every fault (never throws). `raw` is the model's
   * JSON text, or an object already. `cutOff`: the text ends inside a string or brace, so the call must not be run.
   */
  parseArguments(name: string, raw: unknown): ParsedArguments {
    const spec = this.specs.get(name);
    if (!spec) return { fault: unknownToolSentence(name, this.visibleNames()) };
    return parseToolArguments(name, spec.schema.function.parameters, raw);
  }

  /** Runs a tool; whatever it returns or throws becomes a `ToolResult` (never rejects). */
  async call(name: string, args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
    const spec = this.specs.get(name);
    if (!spec) return { content: unknownToolSentence(name, this.visibleNames()), status: "error" };
    try {
      return resultOf(await spec.func(args, ctx));
    } catch (error) {
      const hasStopped = ctx.signal?.aborted && error instanceof Error && error.name === "AbortError";
      return hasStopped ? { content: "Interrupted before it was done.", status: "interrupted" } : resultOfError(error);
    }
  }

  private visibleNames(): string[] {
    return this.schemas().map((schema) => schema.function.name);
  }
}
