// Tests calendar tools: manifests, the thread's calendar, idempotency, concurrent writers and refusals.
import { describe, expect, test } from "vitest";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { Manifest } from "../../../src/schema/manifest.ts";
import { fail } from "../../../src/schema/problem.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import type { CalendarStore } from "../../../src/toolkits/timetable/calendar-store.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import { schedulingTools } from "../../../src/toolkits/timetable/tools.ts";
import type { Tool, ToolContext } from "../../../src/tools/define-tool.ts";
import { createMemoryCalendarStore } from "../../support/calendars.ts";
import { emptyOwnThread } from "../../support/tool-context.ts";
import { at, READS, task, WRITES } from "./small-calendar.ts";

const MINE = { tenant: LOCAL_TENANT, calendar: "thr_mine" };

const context = (key: string | null, thread = MINE.calendar): ToolContext => ({
  tenant: LOCAL_TENANT,
  thread,
  agent: "default",
  metadata: {},
  run: 1,
  turn: 1,
  operation_id: "opr_1",
  idempotency_key: key,
  signal: new AbortController().signal,
  now: () => 0,
  progress: () => undefined,
  own: emptyOwnThread(),
});

function find(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((one) => one.manifest.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
}

const run = async (tools: readonly Tool[], name: string, args: unknown, where: ToolContext): Promise<unknown> =>
  find(tools, name).run(args, where);

const moveEssay = { task_id: 13, new_day: 8, new_slot_start: 3 };
const loaded = async (store: CalendarStore) => succeeded(await store.load(MINE));

describe("manifests", () => {
  const tools = schedulingTools(createMemoryCalendarStore());
  test("lists all read and write tools", () => {
    expect(tools.map((one) => one.manifest.name)).toEqual([...READS, ...WRITES]);
  });

  test.each(tools.map((one) => [one.manifest.name, one] as const))(
    "%s has a valid manifest and a valid example",
    (_name, tool) => {
      expect(Manifest.safeParse(tool.manifest).error).toBeUndefined();
      expect(tool.manifest).toMatchObject({
        toolset: "scheduling",
        scope: "LOCAL_STATE",
        output_trust: "untrusted",
        outward: false,
      });
      for (const example of tool.manifest.examples) expect(tool.input.safeParse(example.arguments).success).toBe(true);
      expect(tool.manifest.examples).toHaveLength(1);
    },
  );

  test.each(READS)("%s only reads: pure, no confirmation", (name) => {
    expect(find(tools, name).manifest).toMatchObject({
      permission: "READ",
      effect: "pure",
      requires_confirmation: false,
    });
  });

  test.each(WRITES)("%s writes: keyed, requires confirmation", (name) => {
    expect(find(tools, name).manifest).toMatchObject({
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation: true,
    });
    expect(find(tools, name).reconcile).not.toBeNull();
  });
});

describe("calendar of a thread", () => {
  test("is the sample until the first write creates a copy for the thread", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    await run(tools, "get_overview", {}, context(null));
    expect(await loaded(store)).toBeNull();
    await run(tools, "move", moveEssay, context("eff_1"));
    const mine = await loaded(store);
    expect(mine?.version).toBe(1);
    expect(task(mine?.calendar ?? sampleSemester(), 13).slots).toEqual([at(8, 3, 4)]);
    expect(succeeded(await store.load({ ...MINE, calendar: "thr_other" }))).toBeNull();
  });

  test.each([
    ["2026-09-06T21:00Z", "UTC", "Today, 2026-09-06, is before the first day of this timetable."],
    ["2026-09-06T23:00Z", "Europe/Berlin", null],
    ["2027-02-01T12:00Z", "UTC", "Today, 2027-02-01, is after the last day of this timetable."],
  ])("says at %s in %s whether today is one of its days", async (now, time_zone, expected) => {
    const tools = schedulingTools(createMemoryCalendarStore());
    const seen = await run(tools, "get_overview", {}, { ...context(null), now: () => Date.parse(now), time_zone });
    const [note = null] =
      /^Today, .*$/m.exec(
        JSON.stringify(seen)
          .replaceAll("\\n", "\n")
          .replace(/\.".*$/s, "."),
      ) ?? [];
    expect(note).toBe(expected);
  });

  test("is required: without an initial calendar, the tools refuse and explain what to do", async () => {
    const tools = schedulingTools(createMemoryCalendarStore(), { initial: null });
    expect(await run(tools, "get_overview", {}, context(null))).toEqual(
      fail("tool_refused", "This thread has no calendar yet; import one first."),
    );
  });

  test("results contain text for the model and data for programs", async () => {
    const tools = schedulingTools(createMemoryCalendarStore());
    const output = await run(tools, "list_tasks", { category: "Physics", status: "suggested" }, context(null));
    const tool = find(tools, "list_tasks");
    expect(tool.output?.safeParse(output).success).toBe(true);
    expect(tool.render(output)).toBe("Suggested (1):\n- [12] error analysis (Physics): day 1 (week 1, Mon) slots 7-8");
  });
});

describe("write", () => {
  test("of a task named error analysis succeeds", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    const output = await run(tools, "move", { task_id: "12", new_day: "8", new_slot_start: "3" }, context("eff_1"));
    expect(output).toMatchObject({ data: { changes: [{ task_id: 12, name: "error analysis" }] } });
    expect(output).not.toHaveProperty("problem");
  });

  test("that is refused fails with tool_refused and stores nothing", async () => {
    const store = createMemoryCalendarStore();
    const output = await run(
      schedulingTools(store),
      "move",
      { task_id: 1, new_day: 8, new_slot_start: 3 },
      context("eff_1"),
    );
    expect(output).toMatchObject({
      ok: false,
      problem: { code: "tool_refused", message: expect.stringContaining("is fixed") },
    });
    expect(await loaded(store)).toBeNull();
  });

  test("resent with the same effect id changes nothing and returns the same result", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    const first = await run(tools, "move", moveEssay, context("eff_1"));
    await run(tools, "move", { ...moveEssay, new_day: 15 }, context("eff_2"));
    const before = await loaded(store);
    expect(await run(tools, "move", moveEssay, context("eff_1"))).toEqual(first);
    expect(await loaded(store)).toEqual(before);
    expect(task(before?.calendar ?? sampleSemester(), 13).slots).toEqual([at(15, 3, 4)]);
  });

  test("keeps the last 64 effects", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    for (let n = 0; n < 70; n += 1) {
      await run(tools, "move", { ...moveEssay, new_day: n % 2 ? 8 : 15 }, context(`eff_${n}`));
    }
    const ids = (await loaded(store))?.calendar.applied_effects.map((one) => one.effect_id);
    expect(ids).toEqual(Array.from({ length: 64 }, (_, n) => `eff_${n + 6}`));
  });

  test("that loses a race is retried on the new version", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    const moves = [10, 11, 12, 13].map((task_id, week) => ({ task_id, new_day: 8 + week * 7, new_slot_start: 3 }));
    await Promise.all(moves.map((args, n) => run(tools, "move", args, context(`eff_${n}`))));
    const mine = await loaded(store);
    expect(mine?.version).toBe(4);
    const days = [10, 11, 12, 13].map((id) => task(mine?.calendar ?? sampleSemester(), id).slots[0]?.day);
    expect(days).toEqual([8, 15, 22, 29]);
  });

  test("fails with calendar_moved after losing every attempt", async () => {
    const store: CalendarStore = {
      ...createMemoryCalendarStore(),
      save: async () => fail("calendar_moved", "The calendar is at version 9.", { version: 9 }),
    };
    const output = await run(schedulingTools(store), "move", moveEssay, context("eff_1"));
    expect(output).toMatchObject({ ok: false, problem: { code: "calendar_moved" } });
  });

  test("returns the problem of a failing store", async () => {
    const store: CalendarStore = {
      ...createMemoryCalendarStore(),
      load: async () => fail("store_unavailable", "no disk"),
    };
    for (const [name, args] of [
      ["move", moveEssay],
      ["get_overview", {}],
    ] as const) {
      expect(await run(schedulingTools(store), name, args, context("eff_1"))).toEqual(
        fail("store_unavailable", "no disk"),
      );
    }
  });
});

describe("reconcile", () => {
  test("returns the stored result of an applied effect", async () => {
    const store = createMemoryCalendarStore();
    const tools = schedulingTools(store);
    const output = await run(tools, "move", moveEssay, context("eff_1"));
    const ask = (key: string) => find(tools, "move").reconcile?.(moveEssay, key, context(key));
    expect(await ask("eff_1")).toEqual({ happened: true, output });
    expect(await ask("eff_2")).toBeNull();
  });
});

describe("the check before a person is asked", () => {
  const check = async (name: string, args: unknown) => {
    const answer = await find(schedulingTools(createMemoryCalendarStore()), name).check?.(args, context(null));
    return JSON.stringify(answer ?? null);
  };

  test.each([
    ["a taken slot", "move", { task_id: 13, new_day: 1, new_slot_start: 1 }],
    ["nothing to undo", "undo_last_change", {}],
    ["a task that may not move", "unplace", { task_id: 1 }],
    ["an unknown task", "swap", { task_a: 13, task_b: 999 }],
  ])("objects to %s", async (_title, name, args) => {
    expect(await check(name, args)).toContain("tool_refused");
  });

  test("objects to nothing that can be done, and saves nothing", async () => {
    const store = createMemoryCalendarStore();
    const answer = await find(schedulingTools(store), "move").check?.(moveEssay, context(null));
    expect([answer, await loaded(store)]).toEqual([null, null]);
  });
});
