/** The parameters of the shell tools as the model sees them. */

import type { JsonSchema } from "../../shared/contracts";

export const runParameters: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["command"],
  properties: {
    command: { type: "string", description: "The command line." },
    cwd: { type: "string", description: "Folder to run in, relative to the workspace root.", default: "." },
    timeout_ms: {
      type: "integer",
      description: "Stop the command after this time.",
      default: 120_000,
      minimum: 1000,
      maximum: 600_000,
    },
    background: { type: "boolean", description: "Start it and return a task id at once." },
    description: { type: "string", description: "What it does, in under ten words, for the user." },
  },
};

export const outputParameters: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: [],
  properties: {
    task_id: { type: "string", description: "Id from run_shell." },
    wait_ms: {
      type: "integer",
      description: "Wait up to this long for it to end.",
      default: 0,
      minimum: 0,
      maximum: 120_000,
    },
    wait_for: { type: "string", description: "Stop waiting when this text appears in its output." },
    from_start: { type: "boolean", description: "Give all kept output, not only what is new." },
  },
};

export const killParameters: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["task_id"],
  properties: { task_id: { type: "string", description: "Id from run_shell." } },
};
