// Tests that a request that continues after `done` delivers in the same record: one commit instead of two, with the
// same prompt and result.
import { expect, test } from "vitest";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

const GOES_ON = { last_turn: false };
const lookFirst = callTool("look", { at: "desk" });

async function startThread(script: Parameters<typeof createTestRuntime>[0], change = {}) {
  const rt = createTestRuntime(script, [look], change);
  return { rt, thread: await createTestThread(rt, { goal: "Look", mode: "direct" }) };
}

test("done and its delivery are one record with the usage of both model calls", async () => {
  const { rt, thread } = await startThread([lookFirst, { ...done, speak: "That is all." }, "It is on the desk."]);
  unwrap(await thread.turn(null, GOES_ON));
  const { records, outcome } = unwrap(await thread.turn(null, GOES_ON));
  expect(records.map(({ entry }) => entry.signals)).toEqual([["run.finished", "run.delivered"]]);
  expect(outcome).toMatchObject({ kind: "delivered", thread: { evidence: "proven", version: 2 } });
  expect(outcome.turn).toMatchObject({ speak: "That is all.\n\nIt is on the desk.", usage: { model_calls: 2 } });
  expect(rt.model.requests.map(({ purpose }) => purpose)).toEqual(["execute", "execute", "deliver"]);
});

test("the model that delivers reads the same prompt as in a turn of its own", async () => {
  const deliveryPrompt = async (last_turn: boolean): Promise<unknown> => {
    const { rt, thread } = await startThread([lookFirst, done, "Seen."]);
    for (let turn = 0; turn < 3; turn += 1) if ((await thread.turn(null, { last_turn })).ok) continue;
    const deliver = rt.model.requests.find(({ purpose }) => purpose === "deliver");
    return deliver?.messages.map(({ content }) => content.replaceAll(/rcp_\w+/g, "rcp"));
  };
  expect(await deliveryPrompt(false)).toEqual(await deliveryPrompt(true));
});

test("a pure call that finishes the last step delivers in its own record", async () => {
  const { thread } = await startThread([{ ...lookFirst, finishes_step: true }, "Seen."]);
  const { records, outcome } = unwrap(await thread.turn(null, GOES_ON));
  expect(records).toHaveLength(1);
  expect(outcome).toMatchObject({ kind: "delivered", thread: { evidence: "proven" } });
  expect(records[0]?.entry.receipts).toHaveLength(1);
});

test("what a listener hears is what the record says", async () => {
  const { thread } = await startThread([lookFirst, { ...done, speak: "That is all." }, "It is on the desk."]);
  unwrap(await thread.turn(null, GOES_ON));
  thread.events.length = 0;
  const { outcome } = unwrap(await thread.turn(null, GOES_ON));
  const heard = thread.events.flatMap((event) => (event.type === "speak.delta" ? [event.text] : [])).join("");
  expect(heard).toBe(outcome.turn?.speak);
});

test("without a reply of the model the delivery is generated", async () => {
  const { thread } = await startThread([lookFirst, done, { fail: "model_unavailable" }]);
  unwrap(await thread.turn(null, GOES_ON));
  const { outcome } = unwrap(await thread.turn(null, GOES_ON));
  expect(outcome.kind).toBe("delivered");
  expect(outcome.turn?.speak).toMatch(/^Finished\. Receipts show what was looked up/);
});

test("the last turn of a request leaves the delivery to the next request", async () => {
  const { thread } = await startThread([lookFirst, done, "Seen."]);
  unwrap(await thread.turn(null, GOES_ON));
  expect(unwrap(await thread.turn()).outcome).toMatchObject({ kind: "advanced", thread: { state: "deliver" } });
  expect(unwrap(await thread.turn()).outcome.kind).toBe("delivered");
});

test("a request with little time left leaves the delivery to the next request", async () => {
  const { rt, thread } = await startThread([lookFirst, done, "Seen."]);
  unwrap(await thread.turn(null, GOES_ON));
  const deadline = rt.clock.now() + rt.config.turn_deadline_ms / 3;
  expect(unwrap(await thread.turn(null, { ...GOES_ON, deadline })).outcome.thread.state).toBe("deliver");
});

test.for(["model.before", "model.after", "commit.before"])(
  "after a crash at %s of the delivery the turn is repeated",
  async (point) => {
    // The creation and the first turn commit before this point, and the two turns call the model before it.
    let passed = 0;
    const faults = {
      at(now: string) {
        if (now === point && ++passed === 3) throw new Error("crash");
      },
    };
    const { thread } = await startThread([lookFirst, done, "Seen.", done, "Seen again."], { faults });
    unwrap(await thread.turn(null, GOES_ON));
    await expect(thread.turn(null, GOES_ON)).rejects.toThrow("crash");
    const { outcome } = unwrap(await thread.turn(null, GOES_ON));
    expect(outcome).toMatchObject({ kind: "delivered", thread: { version: 2, evidence: "proven" } });
  },
);
