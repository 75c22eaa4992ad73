import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { storeTodo } from "../../../src/turn/act/thread-todo.ts";

test("an item of a long list that is exactly as long as the state allows is not shortened", () => {
  const items = Array.from({ length: 20 }, (_, i) => ({
    id: String(i),
    content: "x".repeat(i === 0 ? 160 : 161),
    status: "pending" as const,
  }));
  const { state } = storeTodo({ hash: nodeHash }, items);
  expect(state.todo_blob).not.toBeNull();
  expect(state.todo[0]?.content).toBe("x".repeat(160));
  expect(state.todo[1]?.content).toBe(`${"x".repeat(159)}…`);
});
