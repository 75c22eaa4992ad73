// An approval is bound to one call with exactly these arguments and can be used once, unless the user edits the
// arguments.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, doneDecision, positionOf, type Story, startStory } from "../support/story.ts";

const stories: Story[] = [];
afterAll(() => Promise.all(stories.map((story) => story.end())));

const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
async function atTheGate() {
  const script = [callTool("list_tasks", {}), callTool("move", move, "confirm"), doneDecision, "Done."];
  const story = await startStory({ script });
  stories.push(story);
  const { thread } = unwrap(await story.client.create({ goal: "Move the essay outline", mode: "direct" }));
  const { thread: gated } = unwrap(await story.client.advanceUntilPause(thread.id));
  return { story, client: story.client, id: thread.id, gate: gated.gate, version: gated.version };
}

describe("an open confirmation", () => {
  let at: Awaited<ReturnType<typeof atTheGate>>;
  beforeEach(async () => {
    at = await atTheGate();
  });

  test("approved with edited arguments: those run, and the receipt keeps the proposed ones", async () => {
    const edited = { ...move, new_slot_start: 9 };
    const approved = unwrap(await at.client.advance(at.id, approval(at.gate, edited)));
    expect(positionOf(await at.story.calendar(at.id), 13)).toBe("11/9");
    const call = at.gate?.kind === "confirmation" ? at.gate.call : null;
    for (const receipt of approved.turn?.receipts ?? []) {
      expect(receipt.proposed_digest).toBe(call?.arguments_digest);
      expect(receipt.arguments_digest).not.toBe(call?.arguments_digest);
    }
    const { records } = unwrap(await at.client.call<{ records: unknown[] }>("GET", `/v1/threads/${at.id}/turns`));
    expect(records).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ call: expect.objectContaining({ arguments: move }) }),
        expect.objectContaining({ call: expect.objectContaining({ arguments: edited }) }),
      ]),
    );
  });

  test("approved with invalid arguments: nothing happens and the gate stays open", async () => {
    const refused = await at.client.advance(at.id, approval(at.gate, { ...move, new_slot_start: "soon" }));
    expect(refused).toMatchObject({ problem: { code: "arguments_invalid" } });
    expect(unwrap(await at.client.get(at.id)).thread).toMatchObject({ version: at.version, gate: { id: at.gate?.id } });
  });

  test("approved twice: it is used once", async () => {
    unwrap(await at.client.advance(at.id, approval(at.gate)));
    expect(await at.client.advance(at.id, approval(at.gate))).toMatchObject({
      problem: { code: "gate_closed", status: 409 },
    });
    expect((await at.story.calendar(at.id))?.applied_effects).toHaveLength(1);
  });

  test("approved at two instances concurrently: the call runs once", async () => {
    const other = await startStory({ script: [], folder: at.story.folder });
    const made = await Promise.all([at.client, other.client].map((client) => client.advance(at.id, approval(at.gate))));
    await other.stop();
    const lost = made.flatMap((one) => (one.ok ? [] : [one.problem]));
    expect(lost).toHaveLength(1);
    expect(lost[0]?.status).toBe(409);
    expect((await at.story.calendar(at.id))?.applied_effects).toHaveLength(1);
  });

  test("approved twice with one key: the second response repeats the first", async () => {
    const first = unwrap(await at.client.advance(at.id, approval(at.gate), { key: "yes" }));
    const second = unwrap(await at.client.advance(at.id, approval(at.gate), { key: "yes" }));
    expect(second).toEqual(first);
    expect((await at.story.calendar(at.id))?.applied_effects).toHaveLength(1);
  });

  test("approved with the digest of another call: it is refused and stays open", async () => {
    const other = { ...approval(at.gate), digest: "0".repeat(64) };
    expect(await at.client.advance(at.id, other as never)).toMatchObject({
      problem: { code: "digest_mismatch", status: 409 },
    });
    expect(unwrap(await at.client.get(at.id)).thread).toMatchObject({ version: at.version, state: "confirm" });
    expect(await at.story.calendar(at.id)).toBeNull();
  });

  test("free text is not an approval: it is refused, and nothing is stored", async () => {
    const response = await at.client.advance(at.id, { type: "message", text: "yes, go ahead" });
    expect(response).toMatchObject({ problem: { code: "gate_open", status: 409, details: { next: "confirm" } } });
    expect(unwrap(await at.client.get(at.id)).thread.version).toBe(at.version);
    expect(await at.story.calendar(at.id)).toBeNull();
  });
});
