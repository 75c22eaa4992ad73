import { describe, expect, test } from "vitest";
import { ok } from "../../../src/schema/problem.ts";
import type { TodoItem } from "../../../src/schema/thread.ts";
import { todo } from "../../../src/toolkits/basics/todo.ts";
import { runBuiltin } from "../../support/run-builtin.ts";
import { aContext, emptyOwnThread } from "../../support/tool-context.ts";

const list = (...items: readonly (readonly [string, TodoItem["status"], string])[]): TodoItem[] =>
  items.map(([id, status, content]) => ({ id, status, content }));
const run = (args: unknown, held: readonly TodoItem[] = []) =>
  runBuiltin(todo, args, aContext({ own: { ...emptyOwnThread(), todo: async () => ok(held) } }));
const HELD = list(["1", "completed", "Read"], ["2", "in_progress", "Think"], ["3", "pending", "Write"]);

describe("todo", () => {
  test("without items it reads the list", async () => {
    expect((await run({})).text).toBe("The list is empty.");
    const read = await run({}, HELD);
    expect(read.text).toBe(
      "3 items: 1 pending, 1 in_progress, 1 completed\n1 completed: Read\n2 in_progress: Think\n3 pending: Write",
    );
    expect(read.more.todo).toBeUndefined();
  });

  test("with items it replaces the list and numbers what has no name", async () => {
    const written = await run(
      { items: [{ content: "A" }, { id: "b", content: "B", status: "in_progress" }, { content: "C" }] },
      HELD,
    );
    expect(written.more.todo).toEqual(list(["1", "pending", "A"], ["b", "in_progress", "B"], ["2", "pending", "C"]));
  });

  test("merging changes by id, adds what is new and keeps the rest", async () => {
    const items = [{ id: "2", content: "Think", status: "completed" }, { content: "Send" }];
    expect((await run({ items, merge: true }, HELD)).more.todo).toEqual(
      list(
        ["1", "completed", "Read"],
        ["2", "completed", "Think"],
        ["3", "pending", "Write"],
        ["4", "pending", "Send"],
      ),
    );
  });

  test.each([
    [
      {
        items: [
          { id: "a", content: "x" },
          { id: "a", content: "y" },
        ],
      },
      "Two items have the id",
    ],
    [
      {
        items: [
          { content: "x", status: "in_progress" },
          { content: "y", status: "in_progress" },
        ],
      },
      "Only one item",
    ],
    [{ items: [{ id: "new", content: "x", status: "in_progress" }], merge: true }, "Only one item"],
  ])("%j is refused", async (args, why) => {
    const refused = await run(args, HELD);
    expect(refused).toMatchObject({ success: false, text: expect.stringContaining(why) });
    expect(refused.more.todo).toBeUndefined();
  });

  test("holds 256 items of 4,000 characters and no more", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ content: `item ${n}` }));
    expect((await run({ items: many(256) })).more.todo).toHaveLength(256);
    expect(todo.input.safeParse({ items: many(257) }).success).toBe(false);
    expect(todo.input.safeParse({ items: [{ content: "x".repeat(4_001) }] }).success).toBe(false);
    const full = list(...Array.from({ length: 256 }, (_, n) => [`i${n}`, "pending", "x"] as const));
    expect((await run({ items: [{ content: "one more" }], merge: true }, full)).text).toContain("at most 256");
  });
});
