// Keeps the thread's own task list, which is stored in the record with the receipt of the call.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { TodoItem } from "../../schema/thread.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";

export const TODO_ITEMS_MAX = 256;
const CONTENT_CHARS_MAX = 4_000;

const Item = z.object({
  id: z.string().min(1).max(40).optional().describe("a short id; default: a number"),
  content: z.string().min(1).max(CONTENT_CHARS_MAX).describe("the task"),
  status: TodoItem.shape.status.optional().describe("default: pending"),
});
const Output = z.object({ items: z.array(TodoItem) });

export const todo = defineTool(
  {
    name: "todo",
    description: "Write your task list (with items) or read it (without).",
    toolset: "planning",
    category: "planning",
    permission: "WRITE",
    scope: "LOCAL_STATE",
    effect: "pure",
    requires_confirmation: false,
    proves: false,
    // A plan already serves as a task list, so prompts offer the tool only without a plan.
    in_prompt: "without_plan",
    supersedes: true,
    prompt_hint: "Use it for work of several parts; mark an item as completed as soon as it is.",
    input: z.object({
      items: z.array(Item).max(TODO_ITEMS_MAX).optional().describe("the tasks, most important first"),
      merge: z
        .boolean()
        .optional()
        .describe("update the given items by id and keep the others; otherwise the list is replaced"),
    }),
    output: Output,
    render: ({ items }) => render(items),
    examples: [
      {
        arguments: { items: [{ content: "Read the notes", status: "in_progress" }, { content: "Write the summary" }] },
        result: "2 items: 1 in_progress, 1 pending\n1 in_progress: Read the notes\n2 pending: Write the summary",
      },
      {
        arguments: { items: [{ id: "1", content: "Read the notes", status: "completed" }], merge: true },
        result: null,
      },
    ],
  },
  async ({ items, merge = false }, { own }) => {
    const current = await own.todo();
    if (!current.ok) return current;
    if (!items) return { items: [...current.value] };
    const next = withIds(merge ? current.value : [], items);
    if (!next.ok) return next;
    return outcome({ items: [...next.value] }, { todo: next.value });
  },
);

function withIds(current: readonly TodoItem[], items: readonly z.infer<typeof Item>[]): Result<readonly TodoItem[]> {
  const list = new Map(current.map((item) => [item.id, item]));
  let number = 0;
  const nextId = (): string => {
    do number += 1;
    while (list.has(String(number)) || items.some((item) => item.id === String(number)));
    return String(number);
  };
  const seen = new Set<string>();
  for (const { id = nextId(), content, status = "pending" } of items) {
    if (seen.has(id)) return fail("tool_refused", `Two items have the id ${JSON.stringify(id)}.`);
    seen.add(id);
    list.set(id, { id, content, status });
  }
  const next = [...list.values()];
  if (next.length > TODO_ITEMS_MAX)
    return fail("tool_refused", `A list has at most ${TODO_ITEMS_MAX} items, not ${next.length}.`);
  const inProgress = next.filter((item) => item.status === "in_progress");
  if (inProgress.length > 1) {
    const names = inProgress.map((item) => item.id).join(" and ");
    return fail("tool_refused", `Only one item can be in_progress at a time, not ${names}.`);
  }
  return ok(next);
}

function render(items: readonly TodoItem[]): string {
  if (items.length === 0) return "The list is empty.";
  const counts = TodoItem.shape.status.options
    .map((status) => ({ status, count: items.filter((item) => item.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  const lines = items.map(({ id, status, content }) => `${id} ${status}: ${content}`);
  return [`${items.length} ${items.length === 1 ? "item" : "items"}: ${counts.join(", ")}`, ...lines].join("\n");
}
