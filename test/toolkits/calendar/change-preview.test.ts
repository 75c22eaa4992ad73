// Tests the preview of a proposed change over HTTP: before and after on the affected days, for edited arguments, and
// against the newest version.
import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import type { ProposedCalendarChange } from "../../../src/toolkits/calendar/schema/views.ts";
import { calendar as toolkit } from "../../../src/toolkits/calendar/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { callTool } from "../../support/decisions.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { startCalendar } from "./calendar-tools.ts";

async function proposing(name: string, args: Record<string, unknown>) {
  const documents = createMemoryDocuments();
  const calendar = await startCalendar(documents);
  await calendar.call("create_event", { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 });
  await calendar.call("create_event", { title: "Board", start: "2026-03-04T11:00" });
  const toolbox = createToolbox(calendar.tools);
  const rt = createTestRuntime([callTool(name, args)], [], { toolbox });
  const plugged = unwrap(plugToolkits(createToolbox([]), [toolkit], { clock: rt.clock, documents }));
  const app = createApp(testSettings(rt), [], plugged.routes);
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
  unwrap(await thread.turn());
  const look = async (edited?: object) => {
    const query = edited === undefined ? "" : `?arguments=${encodeURIComponent(JSON.stringify(edited))}`;
    const path = `/v1/threads/${thread.at.thread}/calendar-change${query}`;
    const response = await app.request(path, { headers: { host: "localhost" } });
    return ((await response.json()) as ProposedCalendarChange).proposed;
  };
  return { ...calendar, look };
}

const lines = (events: readonly { start: string; title: string }[] = []) =>
  events.map(({ start, title }) => `${start.slice(0, 16)} ${title}`);
const move = { id: "e1@2026-03-03", start: "2026-03-04T09:00" };

describe("the preview of a proposed change", () => {
  test("has the affected days before and after", async () => {
    const { look } = await proposing("move_event", move);
    const proposed = await look();
    expect(proposed?.text).toMatch(/^Move "Dentist"/);
    expect(proposed?.picture).toMatchObject({
      days: ["2026-03-03", "2026-03-04"],
      leaving: ["e1@2026-03-03"],
      arriving: ["e1@2026-03-04"],
      conflicts: [],
    });
    expect(lines(proposed?.picture?.before)).toEqual(["2026-03-03T09:00 Dentist", "2026-03-04T11:00 Board"]);
    expect(lines(proposed?.picture?.after)).toEqual(["2026-03-04T09:00 Dentist", "2026-03-04T11:00 Board"]);
  });

  test("follows edited arguments, marks conflicts that are allowed, and says why others are refused", async () => {
    const { look } = await proposing("move_event", move);
    const taken = { ...move, start: "2026-03-04T10:30" };
    expect(await look(taken)).toMatchObject({ possible: false, text: expect.stringContaining("Board"), picture: null });
    const allowed = await look({ ...taken, if_busy: "allow" });
    expect(allowed?.picture?.conflicts).toEqual(["e1@2026-03-04"]);
    expect(await look({ id: 7 })).toMatchObject({ possible: false });
    expect(await look({ ...move, start: "2026-03-29T02:30" })).toMatchObject({ possible: false });
  });

  test("is that of the newest version of the calendar", async () => {
    const { look, call } = await proposing("move_event", move);
    await call("move_event", { id: "e1@2026-03-03", start: "2026-03-05T14:00" });
    expect((await look())?.picture?.days).toEqual(["2026-03-04", "2026-03-05"]);
  });

  test("shows the first days of a series, what is planned, and what an undo restores", async () => {
    const series = { title: "Stand-up", start: "2026-03-02T09:15", duration_min: 15, if_busy: "allow" };
    const repeating = await proposing("create_event", { ...series, repeat: "FREQ=DAILY;COUNT=9" });
    expect((await repeating.look())?.picture).toMatchObject({ days: { length: 5 }, more_days: 4 });
    const planned = await proposing("plan_blocks", {
      title: "Thesis",
      total_min: 180,
      block_min: 60,
      until: "2026-03-06",
    });
    expect((await planned.look())?.picture?.arriving).toHaveLength(3);
    const undoing = await proposing("undo_calendar_change", {});
    expect((await undoing.look())?.picture).toMatchObject({ leaving: ["e2@2026-03-04"], arriving: [] });
    const renamed = await proposing("update_event", { id: "e1@2026-03-03", title: "Doctor" });
    expect(lines((await renamed.look())?.picture?.after)).toEqual(["2026-03-03T09:00 Doctor"]);
  });

  test("is null for a call of another toolkit", async () => {
    const { look } = await proposing("list_events", { from: "2026-03-02", to: "2026-03-06" });
    expect(await look()).toBeNull();
  });
});
