// Tests calendar writes in a running thread: the gate shows the change, an approval is checked against the newest
// version, and a crash at any point leaves one event.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { crashMatrix, crashTable } from "../../../src/testing/crash-matrix.ts";
import { moveObject } from "../../../src/toolkits/calendar/ics/change-object.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { startCalendar, ZONE } from "./calendar-tools.ts";

type Gate = { id: never; digest: string; preview?: string };

async function proposed(name: string, args: Record<string, unknown>) {
  const calendar = await startCalendar();
  await calendar.call("create_event", { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 });
  const rt = createTestRuntime(
    [callTool(name, args), callTool("list_events", { from: "2026-03-02", to: "2026-03-06" })],
    calendar.tools,
  );
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
  const open = async () => unwrap(await thread.turn()).outcome;
  const approve = async ({ id, digest }: Gate) =>
    unwrap(await thread.turn({ type: "confirm", gate_id: id, digest, decision: "approve" })).outcome;
  return { ...calendar, open, approve };
}

const gateOf = (outcome: { thread: { gate: unknown } }): Gate => outcome.thread.gate as Gate;

describe("a calendar write that waits for approval", () => {
  const move = { id: "e1@2026-03-03", start: "2026-03-04T09:00" };

  test("shows before and after, and runs as shown", async () => {
    const { open, approve, occurrences } = await proposed("move_event", move);
    const gate = gateOf(await open());
    expect(gate.preview).toBe('Move "Dentist" from Tue 2026-03-03 09:00–10:30 to Wed 2026-03-04 09:00–10:30.');
    await approve(gate);
    expect((await occurrences())[0]?.start).toBe(Date.parse("2026-03-04T08:00:00Z"));
  });

  test("opens again with a new preview if the event moved meanwhile", async () => {
    const { open, approve, occurrences, call } = await proposed("move_event", move);
    const gate = gateOf(await open());
    await call("move_event", { id: "e1@2026-03-03", start: "2026-03-05T14:00" });
    const again = gateOf(await approve(gate));
    expect(again.preview).toBe('Move "Dentist" from Thu 2026-03-05 14:00–15:30 to Wed 2026-03-04 09:00–10:30.');
    expect((await occurrences())[0]?.start).toBe(Date.parse("2026-03-05T13:00:00Z"));
    await approve(again);
    expect((await occurrences())[0]?.start).toBe(Date.parse("2026-03-04T08:00:00Z"));
  });

  test("opens again if the whole series moved to another time meanwhile", async () => {
    const id = "e2@2026-03-04T09:00";
    const { open, approve, call } = await proposed("move_event", { id, start: "2026-03-04T12:00", scope: "all" });
    await call("create_event", { title: "Run", start: "2026-03-04T09:00", repeat: "FREQ=DAILY;COUNT=4" });
    const gate = gateOf(await open());
    expect((await call("move_event", { id, start: "2026-03-04T15:00", scope: "all" })).ok).toBe(true);
    const again = gateOf(await approve(gate));
    expect(again.preview).toContain('Move "Run" from Wed 2026-03-04 15:00–16:00 to Wed 2026-03-04 12:00–13:00');
  });

  const weekly = { title: "Choir", start: "2026-03-04T19:00", repeat: "FREQ=WEEKLY;COUNT=6" };

  test("opens again if the series was divided meanwhile", async () => {
    const late = { id: "e2@2026-03-18T19:00", start: "2026-03-18T20:00", scope: "following" };
    const { open, approve, call, occurrences } = await proposed("move_event", late);
    await call("create_event", weekly);
    const gate = gateOf(await open());
    const divided = await call("move_event", { id: "e2@2026-03-11", start: "2026-03-12T18:00", scope: "following" });
    expect(divided.ok).toBe(true);
    await call("move_event", { id: "e3@2026-03-12", start: "2026-03-12T18:30", scope: "all" });
    const again = gateOf(await approve(gate));
    expect(again.preview).toContain(
      'Move "Choir" from Thu 2026-03-19 18:30–19:30 to Wed 2026-03-18 20:00–21:00, with all',
    );
    await approve(again);
    const starts = (await occurrences()).filter(({ title }) => title === "Choir").map(({ start }) => new Date(start));
    expect(starts.map((at) => at.toISOString().slice(0, 16))).toEqual([
      "2026-03-04T18:00",
      "2026-03-12T17:30",
      "2026-03-18T19:00",
      "2026-03-25T19:00",
      "2026-04-01T18:00",
      "2026-04-08T18:00",
    ]);
  });

  test("opens again if its occurrence of a divided series moved before the division", async () => {
    const late = { id: "e2@2026-03-25T19:00", start: "2026-03-25T21:00" };
    const { open, approve, call } = await proposed("move_event", late);
    await call("create_event", weekly);
    const gate = gateOf(await open());
    await call("update_event", { id: "e2@2026-03-18", location: "Hall", scope: "following" });
    await call("move_event", { id: "e3@2026-03-25", start: "2026-03-10T15:00" });
    const again = gateOf(await approve(gate));
    expect(again.preview).toContain('Move "Choir" from Tue 2026-03-10 15:00–16:00 to Wed 2026-03-25 21:00–22:00');
  });

  test("opens again if the whole series moved to another day meanwhile", async () => {
    const later = { id: "e2@2026-03-18T19:00", start: "2026-03-18T20:00", scope: "all" };
    const { open, approve, call } = await proposed("move_event", later);
    await call("create_event", weekly);
    const gate = gateOf(await open());
    await call("move_event", { id: "e2@2026-03-11", start: "2026-03-16T19:00", scope: "all" });
    const again = gateOf(await approve(gate));
    expect(again.preview).toContain('Move "Choir" from Mon 2026-03-23 19:00–20:00 to Wed 2026-03-18 20:00–21:00');
  });

  test("opens again if a calendar server moved the series to another day of the week", async () => {
    const later = { id: "e2@2026-03-18T19:00", start: "2026-03-18T20:00" };
    const { open, approve, call, store, at } = await proposed("move_event", later);
    await call("create_event", weekly);
    const gate = gateOf(await open());
    const calendar = unwrap(await store.open(at));
    const before = unwrap(await calendar.all()).find(({ title }) => title === "Choir");
    if (!before) throw new Error("no series");
    const { start, end, all_day, zone } = before;
    const days = 2 * 86_400_000;
    const after = moveObject(before, { start: start - days, end: end - days, all_day, zone }, { zone: ZONE, now: 0 });
    unwrap(await calendar.save([{ before, after }], null));
    const again = gateOf(await approve(gate));
    expect(again.preview).toContain('Move "Choir" from Mon 2026-03-16 19:00–20:00 to Wed 2026-03-18 20:00–21:00');
  });

  test("is refused if its occurrence was removed meanwhile, also when the series was divided before it", async () => {
    const late = { id: "e2@2026-03-18T19:00", start: "2026-03-18T20:00" };
    const { open, approve, call } = await proposed("move_event", late);
    await call("create_event", weekly);
    const gate = gateOf(await open());
    await call("update_event", { id: "e2@2026-03-11", location: "Hall", scope: "following" });
    await call("cancel_event", { id: "e3@2026-03-18" });
    expect((await approve(gate)).turn?.receipts[0]).toMatchObject({ success: false });
  });

  test("does not run if its time was taken meanwhile; the model sees why", async () => {
    const { open, approve, occurrences, call } = await proposed("move_event", move);
    const gate = gateOf(await open());
    await call("create_event", { title: "Board", start: "2026-03-04T10:00" });
    const outcome = await approve(gate);
    expect(outcome.turn?.receipts[0]).toMatchObject({ success: false });
    expect((await occurrences()).map(({ title }) => title)).toEqual(["Dentist", "Board"]);
  });

  test("takes the newest change back by the name undo_last_change, unless another tool has that name", async () => {
    const { open, approve, occurrences } = await proposed("undo_last_change", {});
    const gate = gateOf(await open());
    expect(gate.preview).toBe('Undo: Created "Dentist" on Tue 2026-03-03 09:00–10:30.');
    const { turn } = await approve(gate);
    expect(turn?.receipts[0]).toMatchObject({ name: "undo_calendar_change" });
    expect(await occurrences()).toEqual([]);

    const { tools } = await startCalendar();
    const other = defineTool(
      {
        ...{ name: "undo_last_change", version: "1", description: "of another toolkit", toolset: "t", category: "t" },
        ...{ input: z.object({}), effect: "pure", permission: "READ" },
      },
      () => "other",
    );
    const rt = createTestRuntime([callTool("undo_last_change", {})], [...tools, other]);
    const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.turn?.receipts[0]).toMatchObject({ name: "undo_last_change" });
  });

  test("is not asked again because of a change elsewhere", async () => {
    const { open, approve, call, occurrences } = await proposed("create_event", {
      title: "New",
      start: "2026-03-06T09:00",
    });
    const gate = gateOf(await open());
    await call("create_event", { title: "Other", start: "2026-03-05T09:00" });
    await approve(gate);
    expect((await occurrences()).map(({ title }) => title)).toEqual(["Dentist", "Other", "New"]);
  });

  test("that must fail is never shown to a person", async () => {
    const { open } = await proposed("create_event", { title: "Clash", start: "2026-03-03T09:30" });
    const outcome = await open();
    expect(outcome.thread.gate).toBeNull();
    expect(outcome.turn?.receipts[0]).toMatchObject({ success: false });
  });
});

describe("a crash at any boundary of a calendar write", () => {
  test.each([
    ["create_event", { title: "A", start: "2026-03-03T09:00", if_busy: "allow" }],
    ["plan_blocks", { title: "B", total_min: 60, block_min: 60, from: "2030-03-04", until: "2030-03-15" }],
  ])("leaves exactly one effect of %s", async (name, args) => {
    const { tools, occurrences } = await startCalendar();
    const tool = tools.find((one) => one.manifest.name === name);
    if (!tool) throw new Error(name);
    const report = await crashMatrix({
      tool,
      arguments: args,
      effects: async () => (await occurrences(0, 4e12)).length,
    });
    expect(report.honest, crashTable(report)).toBe(true);
  });
});
