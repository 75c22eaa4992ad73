// Ends the process at every step of a call of the tools that change documents, schedules, other systems and threads.
// One call must be one change.
import { expect, test } from "vitest";
import { createCrew } from "../../src/jobs/crew/create-crew.ts";
import { createSchedulesPort, createTriggersPort } from "../../src/jobs/tool-ports.ts";
import { createWebhook } from "../../src/jobs/webhooks/subscriptions.ts";
import type { Crew } from "../../src/ports/crew/crew.ts";
import { EffectId, LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { type CrashSubject, crashMatrix, crashTable } from "../../src/testing/crash-matrix.ts";
import { remoteTrigger } from "../../src/toolkits/automation/remote-trigger.ts";
import { scheduleCron } from "../../src/toolkits/automation/schedule-cron.ts";
import { setReminder } from "../../src/toolkits/calendar/tools/set-reminder.ts";
import { crew as crewToolkit } from "../../src/toolkits/crew/toolkit.ts";
import { createCalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import { schedulingTools } from "../../src/toolkits/timetable/tools.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { loadThread } from "../../src/turn/load.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { attachTestThread, createTestRuntime, unwrap } from "../support/runtime.ts";
import { createTestEndpoint } from "../support/test-endpoint.ts";
import { startCalendar } from "./calendar/calendar-tools.ts";
import { calendarAfter, ESSAY, PENDING, REPORT, SHORT, smallCalendar } from "./timetable/small-calendar.ts";

type Args = Record<string, unknown>;

const named = (tools: readonly Tool[], name: string): Tool => {
  const tool = tools.find(({ manifest }) => manifest.name === name);
  if (!tool) throw new Error(name);
  return tool;
};

/** Expects exactly one effect at each boundary: a crash neither repeats nor loses it. */
async function expectHonest(subject: CrashSubject): Promise<void> {
  const report = await crashMatrix(subject);
  expect(report.honest, crashTable(report)).toBe(true);
  expect(
    report.rows.map(({ effects }) => effects),
    crashTable(report),
  ).toEqual([1, 1, 1, 1, 1, 1]);
}

test.each<[string, Args]>([
  ["place", { task_id: PENDING, day: 4, slot_start: 5 }],
  ["move", { task_id: ESSAY, new_day: 5, new_slot_start: 11 }],
  ["batch_move", { moves: [{ task_id: ESSAY, new_day: 4, new_slot_start: 1 }] }],
  ["swap", { task_a: ESSAY, task_b: REPORT }],
  ["unplace", { task_id: ESSAY }],
  ["spread_even", { task_ids: [ESSAY, REPORT], week: 2 }],
  ["min_context_switch", { task_ids: [ESSAY, REPORT, SHORT] }],
  ["undo_last_change", {}],
])("%s changes the timetable once", async (name, args) => {
  const calendars = createCalendarStore(createMemoryDocuments());
  const initial = calendarAfter(smallCalendar(), "move", { task_id: ESSAY, new_day: 6, new_slot_start: 1 });
  let calendar = "";
  await expectHonest({
    tool: named(schedulingTools(calendars, { initial }), name),
    arguments: (row) => {
      calendar = row.at.thread;
      return args;
    },
    // The version counts the saves, independent of what they contain.
    effects: async () => unwrap(await calendars.load({ tenant: LOCAL_TENANT, calendar }))?.version ?? 0,
  });
});

/** Each row has its own two events, because moving an event to its current time would not be a change. */
test.each<[string, (first: string, second: string, day: string) => Args]>([
  ["move_event", (id, _second, day) => ({ id, start: `${day}T15:00` })],
  ["update_event", (id) => ({ id, location: "Room 2" })],
  ["cancel_event", (id) => ({ id, scope: "this" })],
  ["swap_events", (first, second) => ({ first, second })],
  ["undo_calendar_change", () => ({})],
])("%s changes the calendar once", async (name, argsOf) => {
  const { tools, call, store, at } = await startCalendar();
  let row = 0;
  const create = async (start: string, duration_min: number): Promise<string> => {
    const { text } = await call("create_event", { title: "A", start, duration_min });
    return /\[(e\d+@[^\]]+)\]/.exec(text)?.[1] ?? text;
  };
  await expectHonest({
    tool: named(tools, name),
    arguments: async () => {
      const day = `2026-04-0${++row}`;
      return argsOf(await create(`${day}T09:00`, 60), await create(`${day}T11:00`, 60), day);
    },
    effects: async () => unwrap(await store.open(at)).version,
  });
});

test.each<[string, Args | null]>([
  ["create", { action: "create", name: "nightly", cron: "0 3 * * *", goal: "Tidy up" }],
  ["cancel", null],
])("schedule_cron changes the schedules once: %s", async (_title, args) => {
  const schedules = createSchedulesPort(createTestRuntime([], []));
  let removed = 0;
  const counting = {
    ...schedules,
    remove: async (...at: Parameters<typeof schedules.remove>) => {
      const result = await schedules.remove(...at);
      if (result.ok) removed += 1;
      return result;
    },
  };
  let made = 0;
  const input = { name: "old", when: { kind: "interval" as const, every_s: 60 } };
  const what = { kind: "thread" as const, create: { goal: "Work" } };
  const request = () => ({ actor: "ada", key: `key-${++made}`, input: { ...input, what }, untrusted: false });
  await expectHonest({
    tool: scheduleCron(counting),
    arguments: async () => args ?? { action: "cancel", id: unwrap(await schedules.create(LOCAL_TENANT, request())).id },
    effects: async () => (args ? unwrap(await schedules.list(LOCAL_TENANT)).length : removed),
  });
});

test("set_reminder creates one schedule", async () => {
  const { store } = await startCalendar();
  let schedules = createSchedulesPort(createTestRuntime([], []));
  await expectHonest({
    tool: setReminder({ store }, { ...schedules, create: (...request) => schedules.create(...request) }),
    arguments: (row) => {
      // A reminder is a message to the thread, so it needs the store of the thread.
      schedules = createSchedulesPort(createTestRuntime([], [], { store: row.store }));
      return { text: "Call Sam", at: "2026-06-03T09:00" };
    },
    effects: async () => unwrap(await schedules.list(LOCAL_TENANT)).length,
  });
});

test("remote_trigger sends every attempt under one id", async () => {
  const rt = createTestRuntime([], []);
  const endpoint = createTestEndpoint();
  const input = { name: "billing", url: "https://example.com/billing", events: [] };
  unwrap(await createWebhook(rt, endpoint, { tenant: LOCAL_TENANT, actor: "ada", input }));
  await expectHonest({
    tool: remoteTrigger(createTriggersPort(rt, endpoint), rt.clock),
    arguments: { target: "billing", payload: { invoice: 7 } },
    effects: () => new Set(endpoint.received.map(({ id }) => id)).size,
  });
});

/** Counts the runs of all children. Each task starts one, and each message to a child starts another. */
async function childRuns(rt: Runtime): Promise<number> {
  const children = unwrap(await rt.store.list(LOCAL_TENANT, { limit: 50 })).filter(({ parent }) => parent);
  const loaded = await Promise.all(children.map(({ thread }) => loadThread(rt, { tenant: LOCAL_TENANT, thread })));
  return loaded.reduce((runs, child) => runs + unwrap(child).state.run, 0);
}

test.each<[string, number, (child: () => Promise<ThreadId>) => Args | Promise<Args>]>([
  ["delegate_task", 1, () => ({ task: "Look", tools: [] })],
  ["delegate_parallel", 2, () => ({ tasks: [1, 2].map((n) => ({ task: `Look ${n}`, tools: [] })) })],
  ["team_agent", 1, () => ({ agent: "default", task: "Look", tools: [] })],
  ["task_broadcast", 1, async (child) => ({ message: "Again", to: [await child()] })],
])("%s starts the work of its children once", async (name, tasks, argsOf) => {
  let rt: Runtime = createTestRuntime([], []);
  const crew: Crew = {
    delegate: (...call) => createCrew(rt).delegate(...call),
    broadcast: (...call) => createCrew(rt).broadcast(...call),
  };
  await expectHonest({
    tool: named(crewToolkit.tools({ crew } as never), name),
    arguments: ({ at, store }) => {
      const script = [{ action: "abort", abort: { user_message: "That was all." } }];
      rt = { ...createTestRuntime(script, [], { store }), worker: { running: false } };
      return argsOf(async () => {
        const effect_id = EffectId.parse("eff_0123456789abcdef0123456789");
        const { children } = unwrap(await crew.delegate({ ...at, effect_id }, [{ task: "Look", tools: [] }]));
        const thread = children[0]?.thread as ThreadId;
        // Messages are sent to a child that has reported.
        unwrap(await attachTestThread(rt, thread).turn());
        return thread;
      });
    },
    effects: async () => (await childRuns(rt)) / tasks,
  });
});
