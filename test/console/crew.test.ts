// Tests which threads count as sub-agents of a thread: those of the running call, and those in the results of earlier
// calls.
import { expect, test } from "vitest";
import type { Turn } from "../../src/console/thread/conversation.ts";
import { childrenOf } from "../../src/console/workflow/crew-card.tsx";

const id = (letter: string): string => `thr_${letter.repeat(26)}`;
const turnWith = (text: string): Turn =>
  ({ number: 1, run: 1, at: "", lines: [], records: [{ observation: { text } }] }) as unknown as Turn;

test("lists reported children and those that are running, each once", () => {
  const reported = JSON.stringify({ children: [{ thread: id("a") }, { thread: id("b") }] });
  expect(childrenOf({ children: [id("b"), id("c")] as never }, [turnWith(reported)])).toEqual([
    id("a"),
    id("b"),
    id("c"),
  ]);
});

test("takes nothing from results that only look similar", () => {
  const texts = ['{"children": 3}', '{"children": ["x", null, {"thread": "thr_1"}]}', '"children" of the house'];
  expect(childrenOf({}, texts.map(turnWith))).toEqual([]);
});
