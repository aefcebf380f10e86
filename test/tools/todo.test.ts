import { expect, test } from "vitest";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerTodoTool, TodoList } from "../../src/tools/todo";
import { callers } from "./toolBench";

const list = new TodoList();
const registry = new ToolRegistry();
registerTodoTool(registry, { list });
const { call, error } = callers(registry);

test("keeps the whole list and shows it line by line", async () => {
  const todos = [
    { content: "read", status: "completed" },
    { content: "edit\n  the file", status: "in_progress" },
    { content: "also this", status: "in_progress" },
    { content: "test", status: "pending" },
    { content: "rest", status: "cancelled" },
  ];
  const result = await call("todo_write", { todos });
  expect(result.content).toBe("[x] read\n[>] edit the file\n[>] also this\n[ ] test\n[-] rest");
  expect(result.display).toEqual({ todos: list.items });
  expect(list.render()).toBe(result.content);
  await call("todo_write", { todos: todos.slice(0, 1) });
  expect(list.items).toEqual([{ content: "read", status: "completed" }]);
});

test("plain steps are pending, an empty list clears", async () => {
  expect((await call("todo_write", { todos: ["one", "", "two"] })).content).toBe("[ ] one\n[ ] two");
  expect((await call("todo_write", { todos: [] })).content).toBe("Cleared.");
  expect(list.items).toEqual([]);
});

test("an unknown status is named", async () => {
  expect(await error("todo_write", { todos: [{ content: "a", status: "later" }] })).toContain(
    "todos[0].status must be one of pending, in_progress, completed, cancelled",
  );
});

test("each registry has its own list unless one is given", async () => {
  const other = new ToolRegistry();
  const own = registerTodoTool(other);
  await other.call("todo_write", { todos: ["x"] });
  expect(own.render()).toBe("[ ] x");
  expect(list.items).toEqual([]);
});
