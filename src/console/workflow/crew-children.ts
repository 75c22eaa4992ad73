// Returns the sub-agents of a thread: those that it waits for, and those whose results it has.
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Turn } from "../thread/conversation.ts";

const THREAD_ID = /^thr_[0-9a-z]{26}$/;

export function childrenOf({ children = [] }: Pick<ThreadView, "children">, turns: readonly Turn[]): readonly string[] {
  const reported = turns.flatMap(({ records }) =>
    records.flatMap(({ observation }) => (observation ? reportedChildren(observation.text) : [])),
  );
  return [...new Set([...reported, ...children])];
}

/** Returns the children from the result of a delegation. Other results have no such list. */
function reportedChildren(text: string): readonly string[] {
  if (!text.includes('"children"')) return [];
  try {
    const { children } = JSON.parse(text) as { children?: unknown };
    return Array.isArray(children) ? children.flatMap((child) => threadOf(child)) : [];
  } catch {
    return [];
  }
}

const threadOf = (child: unknown): readonly string[] => {
  const id = (child as { thread?: unknown } | null)?.thread;
  return typeof id === "string" && THREAD_ID.test(id) ? [id] : [];
};
