/** todo_write: the task list that the user sees and that survives a compaction (guide 7.1). */

import description from "../../prompts/tools/todo_write.md";
import type { ToolResult } from "../shared/contracts";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";

export const TODO_STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];

export interface TodoItem {
  content: string;
  status: TodoStatus;
}

const MARKS: Record<TodoStatus, string> = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[-]" };

/** The list of one session. The model sends it whole each time. */
export class TodoList {
  private current: TodoItem[] = [];

  get items(): readonly TodoItem[] {
    return this.current;
  }

  replace(items: readonly TodoItem[]): void {
    this.current = items.map((item) => ({ ...item }));
  }

  /** One line each: `[x] done`, `[>] being done`, `[ ] to do`, `[-] dropped`. Empty for an empty list. */
  render(): string {
    return this.current.map((item) => `${MARKS[item.status]} ${item.content}`).join("\n");
  }
}

/** Registers todo_write; `list` is what it writes to, by default one of its own. Returns that list. */
export function registerTodoTool(registry: ToolRegistry, options: { list?: TodoList | undefined } = {}): TodoList {
  const list = options.list ?? new TodoList();
  registry.register(
    (args) => writeTodos(list, args.todos),
    { category: "task", riskLevel: "low", capabilities: ["task_list"], requiresApproval: false },
    SCHEMA,
  );
  return list;
}

function writeTodos(list: TodoList, todos: unknown): ToolResult {
  list.replace(itemsFrom(todos));
  return { content: list.render() || "Cleared.", display: { todos: list.items } };
}

/** Plain strings are pending items; what has no text falls away. */
function itemsFrom(todos: unknown): TodoItem[] {
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((item: unknown) => {
    const { content, status } = typeof item === "string" ? { content: item, status: "pending" } : fieldsOf(item);
    const text = typeof content === "string" ? content.trim().replace(/\s*\n\s*/g, " ") : "";
    return text ? [{ content: text, status: TODO_STATUSES.find((known) => known === status) ?? "pending" }] : [];
  });
}

function fieldsOf(item: unknown): { content?: unknown; status?: unknown } {
  return typeof item === "object" && item !== null ? item : {};
}

const SCHEMA = buildToolSchema("todo_write", description, {
  required: ["todos"],
  properties: {
    todos: {
      type: "array",
      items: {
        type: "object",
        properties: {
          content: { type: "string", description: "The step, in a few words." },
          status: { type: "string", enum: [...TODO_STATUSES] },
        },
        required: ["content", "status"],
        additionalProperties: false,
      },
    },
  },
});
