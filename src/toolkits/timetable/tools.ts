// Runs the calendar operations as tools: load the thread's calendar, run the pure function, save by compare-and-set.
import * as z from "zod";
import { retryConflict } from "../../ports/retry.ts";
import { TenantId } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type ReconcileAnswer, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { type Outcome, outcome as withTrust } from "../../tools/outcome.ts";
import type { CalendarRef, CalendarStore } from "./calendar-store.ts";
import { appliedEffect, applyOnce } from "./changes/effects.ts";
import { outsideNote } from "./dates.ts";
import type { Changes, ResultData } from "./result.ts";
import { sampleSemester } from "./sample.ts";
import { type Calendar, TaskChange } from "./schema/calendar.ts";
import { type CalendarToolSpec, readToolSpecs, writeToolSpecs } from "./tool-specs.ts";

/** Concurrent writers of the same calendar are rare; more conflicts than this are reported. */
const SAVE_ATTEMPTS = 5;

export type SchedulingOptions = {
  /** The calendar of a thread until its first write. If it is null, the tools of such a thread refuse. */
  readonly initial?: Calendar | null;
  /** Names in a calendar may come from an invitation by anyone; set "trusted" only if yours cannot. */
  readonly output_trust?: Manifest["output_trust"];
};

export function schedulingTools(calendars: CalendarStore, options: SchedulingOptions = {}): Tool[] {
  const source: CalendarSource = {
    calendars,
    get initial() {
      return options.initial === undefined ? sampleSemester() : options.initial;
    },
    output_trust: options.output_trust ?? "untrusted",
  };
  return [
    ...readToolSpecs.map((spec) => readTool(source, spec)),
    ...writeToolSpecs.map((spec) => writeTool(source, spec)),
  ];
}

type CalendarSource = {
  readonly calendars: CalendarStore;
  readonly initial: Calendar | null;
  readonly output_trust: Manifest["output_trust"];
};
type OpenCalendar = { readonly calendar: Calendar; readonly version: number };

const calendarOf = (context: ToolContext): CalendarRef => ({
  tenant: TenantId.parse(context.tenant),
  calendar: context.thread,
});

async function openCalendar(source: CalendarSource, at: CalendarRef): Promise<Result<OpenCalendar>> {
  const loaded = await source.calendars.load(at);
  if (!loaded.ok) return loaded;
  if (loaded.value) return ok(loaded.value);
  if (source.initial) return ok({ calendar: source.initial, version: 0 });
  return fail("tool_refused", "This thread has no calendar yet; import one first.");
}

/** Refusals are marked too, because they name conflicting entries. */
const withCalendarTrust = <O>({ calendar }: OpenCalendar, value: O): O | Outcome<O> =>
  calendar.outside ? withTrust(value, { output_trust: "untrusted" }) : value;

const CALENDAR_FACTS = [
  "The timetable has tasks in days and slots. Days are numbered from 1, and get_overview names their dates; if day 1 is a Monday, Tuesday of week 3 is day 16 (2 × 7 + 2). Each has slots 1 to 12 of an hour, slot 1 from 08:00: 1-4 morning, 5-8 afternoon (12:00-16:00), 9-12 evening.",
  "Status of a task: existing = fixed, cannot be moved; suggested = has a place and can be moved; pending = has no place yet.",
  "A host is an entry whose slots another task may share.",
  "No tool creates tasks. Events, if there are tools for them, are in another calendar, which has dates and times.",
];

const ReadOutput = z.object({ text: z.string(), data: z.record(z.string(), z.unknown()) });
const WriteOutput = z.object({ text: z.string(), data: z.object({ changes: z.array(TaskChange) }) });

const TIMETABLE_MANIFEST = {
  toolset: "scheduling",
  category: "scheduling",
  scope: "LOCAL_STATE",
  timeout_ms: 10_000,
  render: (output: { readonly text: string }) => output.text,
} as const;

const manifestFields = (
  { output_trust }: CalendarSource,
  { name, description, hint, alias, input, example }: CalendarToolSpec<ResultData> | CalendarToolSpec<Changes>,
) => ({
  ...{ output_trust, name, description, prompt_hint: hint ?? null, facts: CALENDAR_FACTS, input },
  ...(alias ? { in_prompt: "never" as const } : {}),
  examples: [{ arguments: { ...example }, result: null }],
});

function readTool(source: CalendarSource, spec: CalendarToolSpec<ResultData>): Tool {
  return defineTool(
    {
      ...TIMETABLE_MANIFEST,
      ...manifestFields(source, spec),
      permission: "READ",
      output: ReadOutput,
      tags: ["calendar", "read"],
    },
    async (args, context) => {
      const opened = await openCalendar(source, calendarOf(context));
      if (!opened.ok) return opened;
      const result = spec.execute(opened.value.calendar, args);
      if (!result.ok) return withCalendarTrust(opened.value, result);
      const { calendar } = opened.value;
      const note = spec.shows_days ? outsideNote(calendar, context.now(), context.time_zone ?? "UTC") : null;
      const text = note === null ? result.value.text : `${result.value.text}\n${note}`;
      return withCalendarTrust(opened.value, { text, data: { ...result.value.data } });
    },
  );
}

function writeTool(source: CalendarSource, spec: CalendarToolSpec<Changes>): Tool {
  return defineTool(
    {
      ...TIMETABLE_MANIFEST,
      ...manifestFields(source, spec),
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation: true,
      output: WriteOutput,
      tags: ["calendar", "write"],
      reconcile: async (_args, key, context) => reconcile(source, calendarOf(context), key),
      check: async (args, context) => {
        const opened = await openCalendar(source, calendarOf(context));
        if (!opened.ok) return opened;
        const result = spec.execute(opened.value.calendar, args);
        return result.ok ? null : withCalendarTrust(opened.value, result);
      },
      preview: async (args, context) => {
        const opened = await openCalendar(source, calendarOf(context));
        const result = opened.ok ? spec.execute(opened.value.calendar, args) : null;
        return result?.ok ? `Afterwards: ${result.value.text.split("\n", 1)[0]}` : null;
      },
    },
    async (args, context) => write(source, spec, args, context),
  );
}

type WriteResult = { text: string; data: { changes: TaskChange[] } };
type WriteOutcome = WriteResult | Failed | Outcome<WriteResult | Failed>;

async function write(
  source: CalendarSource,
  spec: CalendarToolSpec<Changes>,
  args: unknown,
  context: ToolContext,
): Promise<WriteOutcome> {
  const at = calendarOf(context);
  const key = context.idempotency_key;
  // A keyed tool always gets its key. Without one, a resend could not be distinguished from a new request.
  if (key === null) throw new Error(`${spec.name} was called without an idempotency key`);
  const saved = await retryConflict<WriteOutcome>(
    "calendar_moved",
    async () => {
      const opened = await openCalendar(source, at);
      if (!opened.ok) return opened;
      const { calendar, version } = opened.value;
      const result = applyOnce(calendar, key, spec.name, (now) => spec.execute(now, args));
      if (!result.ok) return ok(withCalendarTrust(opened.value, result));
      const { text, data, calendar: after } = result.value;
      const written = { text, data: { changes: [...data.changes] } };
      if (after !== calendar) {
        const save = await source.calendars.save(at, after, version);
        if (!save.ok) return save;
      }
      return ok(withCalendarTrust(opened.value, written));
    },
    SAVE_ATTEMPTS,
  );
  return saved.ok ? saved.value : saved;
}

/** An unknown key proves nothing, because the first attempt may still be saving. The runtime then safely resends. */
async function reconcile(
  { calendars }: CalendarSource,
  at: CalendarRef,
  key: string,
): Promise<ReconcileAnswer<WriteResult> | null> {
  const loaded = await calendars.load(at);
  if (!loaded.ok || !loaded.value) return null;
  const effect = appliedEffect(loaded.value.calendar, key);
  if (!effect) return null;
  const output = { text: effect.text, data: { changes: effect.changes } };
  return { happened: true, output, ...(loaded.value.calendar.outside && { output_trust: "untrusted" as const }) };
}
