// Runs every tool of the timetable and of the calendar with hostile values. Each call must return an answer or a
// problem, and nothing may be partly changed.
import { describe, expect, test } from "vitest";
import { createSchedulesPort } from "../../../src/jobs/tool-ports.ts";
import { setReminder } from "../../../src/toolkits/calendar/tools/set-reminder.ts";
import { createCalendarStore } from "../../../src/toolkits/timetable/calendar-store.ts";
import { schedulingTools } from "../../../src/toolkits/timetable/tools.ts";
import type { Tool } from "../../../src/tools/define-tool.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { MONDAY, startCalendar } from "../calendar/calendar-tools.ts";
import { smallCalendar } from "../timetable/small-calendar.ts";
import { HOSTILE_VALUES } from "./values.ts";

const TIMETABLE = [
  ...["get_overview", "query_range", "find_first_free", "find_free", "query_available_slots", "list_tasks"],
  ...["get_task_info", "evaluate", "place", "move", "batch_move", "swap", "unplace", "spread_even"],
  ...["min_context_switch", "undo_last_change"],
];
const CALENDAR = [
  ...["list_events", "find_time", "check_calendar", "create_event", "move_event", "update_event", "cancel_event"],
  ...["plan_blocks", "swap_events", "undo_calendar_change", "set_reminder"],
];

/** Returns the arguments of the example, with each one replaced by each hostile value, alone and in a list. */
function argumentsOf({ manifest }: Tool): readonly object[] {
  const example = manifest.examples[0]?.arguments ?? {};
  const fields = Object.keys((manifest.input.properties ?? {}) as object);
  const values = HOSTILE_VALUES.flatMap(([, value]) => [value, [value], "", [], {}, null]);
  return fields.flatMap((field) => values.map((value) => ({ ...example, [field]: value })));
}

async function runAll(tool: Tool): Promise<number> {
  let ran = 0;
  for (const args of argumentsOf(tool)) {
    const read = tool.input.safeParse(args);
    if (!read.success) continue;
    const result = await tool.run(read.data, aContext({ idempotency_key: `eff_${++ran}`, now: () => MONDAY }));
    expect(JSON.stringify(result)).not.toMatch(/TypeError|RangeError|is not a function|undefined \(reading/);
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  return ran;
}

const namesOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ manifest }) => manifest.name).sort();

describe("timetable", () => {
  const tools = schedulingTools(createCalendarStore(createMemoryDocuments()), { initial: smallCalendar() });
  test("these are all its tools", () => expect(namesOf(tools)).toEqual([...TIMETABLE].sort()));
  test.each(tools.map((tool) => [tool.manifest.name, tool] as const))("%s", async (_name, tool) => {
    await runAll(tool);
  });
});

describe("calendar", () => {
  const start = async () => {
    const started = await startCalendar();
    const reminder = setReminder({ store: started.store }, createSchedulesPort(createTestRuntime([], [])));
    return { ...started, tools: [...started.tools, reminder] };
  };
  test("these are all its tools", async () => expect(namesOf((await start()).tools)).toEqual([...CALENDAR].sort()));
  test.each(CALENDAR)("%s", async (name) => {
    const { tools, call } = await start();
    await call("create_event", { title: "A", start: "2026-03-03T09:00", duration_min: 60 });
    const tool = tools.find(({ manifest }) => manifest.name === name);
    if (!tool) throw new Error(name);
    await runAll(tool);
    // Stored data can still be read and shown.
    expect(await call("list_events", { from: "2026-03-02", to: "2026-03-09" })).toMatchObject({ ok: true });
  });
});
