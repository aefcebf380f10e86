/** Puts a tool's schema together from its description file and its parameters. */

import type { JsonSchema, ToolSchema } from "../shared/contracts";

/** Key order is part of the bytes that provider caches compare: name, description, then the parameters. */
export function buildToolSchema(
  name: string,
  description: string,
  parameters: { required?: string[]; properties: Record<string, JsonSchema> },
): ToolSchema {
  return {
    type: "function",
    function: {
      name,
      description: description.trim(),
      parameters: {
        type: "object",
        additionalProperties: false,
        required: parameters.required ?? [],
        properties: parameters.properties,
      },
    },
  };
}
