import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ConfirmationGate } from "../../../src/schema/gate.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import type { TurnInput } from "../../../src/schema/input.ts";
import { ChildState } from "../../../src/schema/workflow/child.ts";
import { exportThread } from "../../../src/threads/export-thread.ts";
import { forkThread } from "../../../src/threads/fork.ts";
import { importThread } from "../../../src/threads/import-thread.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { outcome } from "../../../src/tools/outcome.ts";
import { freshRun } from "../../../src/turn/admit/run-transitions.ts";
import type { Draft } from "../../../src/turn/commit/draft.ts";
import { withRejectionCount } from "../../../src/turn/gates/repeated-rejections.ts";
import { isActive } from "../../../src/turn/judge/remembered.ts";
import { freshVisit } from "../../../src/turn/workflow/begin-visit.ts";
import { callTool } from "../../support/decisions.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  type TestThread,
  unwrap,
} from "../../support/runtime.ts";
import { anEntry, aState, idOf } from "../../support/thread.ts";

const gateOf = async (thread: TestThread): Promise<ConfirmationGate> => {
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
  return gate;
};
const answer = (
  { id, digest }: ConfirmationGate,
  more: Partial<Extract<TurnInput, { type: "confirm" }>> = {},
): TurnInput => ({ type: "confirm", gate_id: id, digest, decision: "approve", ...more });

describe("a call that was approved and then asked a question", () => {
  /** Creates a thread that waits for the answer. `ran` lists what ran with an answer. */
  async function asking() {
    const ran: string[] = [];
    const pay = defineTool(
      {
        name: "pay",
        description: "Pays.",
        effect: "unkeyed",
        permission: "WRITE",
        input: z.object({}),
        output: z.string(),
      },
      (_input, { continued }) => {
        if (!continued) return outcome("", { question: { text: "Which account?", state: "begun" } });
        ran.push(continued.reply);
        return "paid";
      },
    );
    const rt = createTestRuntime([callTool("pay", {}), callTool("pay", {})], [pay]);
    const thread = await createTestThread(rt, { goal: "Pay", mode: "direct" });
    const asked = unwrap(await thread.turn(answer(await gateOf(thread))));
    expect(asked.outcome.thread.gate).toMatchObject({ kind: "question", text: "Which account?" });
    return { rt, thread, ran };
  }
  const reply: TurnInput = { type: "message", text: "savings" };

  test("runs with the answer in its own thread", async () => {
    const { thread, ran } = await asking();
    unwrap(await thread.turn(reply));
    expect(ran).toEqual(["savings"]);
  });

  test("does not run on a fork, where nobody approved it: the model proposes it and a person is asked", async () => {
    const { rt, thread, ran } = await asking();
    const fork = unwrap(await forkThread(rt, thread.at, 2));
    const answered = unwrap(await attachTestThread(rt, fork.thread.id).turn(reply));
    expect(ran).toEqual([]);
    expect(answered.outcome.thread.gate).toMatchObject({ kind: "confirmation", call: { name: "pay" } });
  });

  test("does not run after an import, where the file alone says that somebody approved it", async () => {
    const { rt, thread, ran } = await asking();
    const text = unwrap(await exportThread(rt, thread.at));
    const elsewhere = { ...rt, store: createTestRuntime([]).store };
    unwrap(await importThread(elsewhere, LOCAL_TENANT, text));
    const answered = unwrap(await attachTestThread(elsewhere, thread.at.thread).turn(reply));
    expect(ran).toEqual([]);
    expect(answered.outcome.thread.gate).toMatchObject({ kind: "confirmation", call: { name: "pay" } });
  });
});

describe("the next role of a workflow", () => {
  const approval = {
    id: idOf("apr", 1) as never,
    tool: "write",
    manifest_version: "1",
    match: { kind: "exact" as const, arguments_digest: "d" },
    shown: "a",
    reasons: [],
    remember: "thread" as const,
    run: 1,
    role: "writer",
    gate_id: idOf("gat", 1) as never,
    actor: "ada",
    at: "2026-01-01T00:00:00.000Z",
  };
  const inRole = (role: string) => ({ run: 2, taint: null, workflow: { role } as never });

  test("is not covered by what a person approved for another one", () => {
    expect(isActive(approval, inRole("writer"))).toBe(true);
    expect(isActive(approval, inRole("reviewer"))).toBe(false);
    const { role: _, ...ordinary } = approval;
    expect(isActive(ordinary, { run: 2, taint: null })).toBe(true);
  });

  test("starts without the approvals and rejections of the visit before", () => {
    const state = aState({ approvals: [{ ...approval, remember: "run" }, approval], rejections: { write: 2 } });
    const forgotten = { approvals: [approval], rejections: {} };
    expect(freshRun(state)).toMatchObject(forgotten);
    expect(freshVisit(state)).toMatchObject(forgotten);
  });
});

test("the third rejection in a child ends its run, so that its parent learns of it", () => {
  const child = ChildState.parse({
    parent: idOf("thr", 7),
    effect_id: idOf("eff", 1),
    depth: 1,
    allowed: ["write"],
    roots: ["."],
    shell: true,
    readonly: false,
    escalated: null,
  });
  const state = aState({ child, rejections: { write: 2 } });
  const draft: Draft = { state, entry: anEntry({ turn: 3 }), signals: [], blobs: [], documents: [], is_intent: false };
  const { state: after, signals } = withRejectionCount({} as never, draft, "write");
  expect(after).toMatchObject({ gate: null, child: { escalated: "A person rejected write 3 times." } });
  expect(signals).toEqual([{ type: "run.aborted" }]);
});
