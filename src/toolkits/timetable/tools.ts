// The scheduling operations as tools: load the thread's calendar, run the pure function, save by compare-and-set.
import { z } from "zod";
import { TenantId } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { type Outcome, outcome as withTrust } from "../../tools/outcome.ts";
import type { CalendarAt, CalendarStore } from "./calendar-store.ts";
import { appliedEffect, once } from "./changes/effects.ts";
import { type Operation, readOperations, writeOperations } from "./operations.ts";
import type { Changes, Facts } from "./outcome.ts";
import { sampleSemester } from "./sample.ts";
import { type Calendar, Change } from "./schema/calendar.ts";

/** Other writers of the same calendar are rare; a writer that loses this often gives up and says so. */
const SAVE_TRIES = 5;

export type SchedulingOptions = {
  /** What a thread without a calendar sees until its first write; null: its tools refuse. */
  readonly initial?: Calendar | null;
  /** Names in a calendar may come from anybody's invitation; say "trusted" only if yours cannot. */
  readonly output_trust?: Manifest["output_trust"];
};

export function schedulingTools(calendars: CalendarStore, options: SchedulingOptions = {}): Tool[] {
  const initial = options.initial === undefined ? sampleSemester() : options.initial;
  const shelf: Shelf = { calendars, initial, output_trust: options.output_trust ?? "untrusted" };
  return [
    ...readOperations.map((operation) => readTool(shelf, operation)),
    ...writeOperations.map((operation) => writeTool(shelf, operation)),
  ];
}

type Shelf = {
  readonly calendars: CalendarStore;
  readonly initial: Calendar | null;
  readonly output_trust: Manifest["output_trust"];
};
type Open = { readonly calendar: Calendar; readonly version: number };

const calendarOf = (context: ToolContext): CalendarAt => ({
  tenant: TenantId.parse(context.tenant),
  calendar: context.thread,
});

async function openCalendar(shelf: Shelf, at: CalendarAt): Promise<Result<Open>> {
  const loaded = await shelf.calendars.load(at);
  if (!loaded.ok) return loaded;
  if (loaded.value) return ok(loaded.value);
  if (shelf.initial) return ok({ calendar: shelf.initial, version: 0 });
  return fail("tool_refused", "This thread has no calendar yet; import one first.");
}

/** Refusals too: they name whatever is in the way. */
const trusted = <O>({ calendar }: Open, told: O): O | Outcome<O> =>
  calendar.outside ? withTrust(told, { output_trust: "untrusted" }) : told;

const ReadOutput = z.object({ text: z.string(), data: z.record(z.string(), z.unknown()) });
const WriteOutput = z.object({ text: z.string(), data: z.object({ changes: z.array(Change) }) });

const facts = {
  version: "1",
  toolset: "scheduling",
  category: "scheduling",
  scope: "LOCAL_STATE",
  timeout_ms: 10_000,
  render: (output: { readonly text: string }) => output.text,
} as const;

const told = (shelf: Shelf, operation: Operation<Facts> | Operation<Changes>) => ({
  output_trust: shelf.output_trust,
  name: operation.name,
  description: operation.description,
  prompt_hint: operation.hint,
  input: operation.input,
  examples: [{ arguments: { ...operation.example }, result: null }],
});

function readTool(shelf: Shelf, operation: Operation<Facts>): Tool {
  return defineTool(
    {
      ...facts,
      ...told(shelf, operation),
      permission: "READ",
      effect: "pure",
      output: ReadOutput,
      tags: ["calendar", "read"],
    },
    async (args, context) => {
      const opened = await openCalendar(shelf, calendarOf(context));
      if (!opened.ok) return opened;
      const outcome = operation.call(opened.value.calendar, args);
      if (!outcome.ok) return trusted(opened.value, fail("tool_refused", outcome.text));
      return trusted(opened.value, { text: outcome.text, data: { ...outcome.data } });
    },
  );
}

function writeTool(shelf: Shelf, operation: Operation<Changes>): Tool {
  return defineTool(
    {
      ...facts,
      ...told(shelf, operation),
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation: true,
      output: WriteOutput,
      tags: ["calendar", "write"],
      reconcile: async (_args, key, context) => reconcile(shelf, calendarOf(context), key),
    },
    async (args, context) => write(shelf, operation, args, context),
  );
}

type Written = { text: string; data: { changes: Change[] } };

async function write(
  shelf: Shelf,
  operation: Operation<Changes>,
  args: unknown,
  context: ToolContext,
): Promise<Written | Failed | Outcome<Written | Failed>> {
  const at = calendarOf(context);
  const key = context.idempotency_key;
  // A keyed tool always gets its key; without one a resend could not be told from a new wish.
  if (key === null) throw new Error(`${operation.name} was called without an idempotency key`);
  let lost: Failed | null = null;
  for (let tries = 0; tries < SAVE_TRIES; tries += 1) {
    const opened = await openCalendar(shelf, at);
    if (!opened.ok) return opened;
    const { calendar, version } = opened.value;
    const outcome = once(calendar, key, operation.name, (now) => operation.call(now, args));
    if (!outcome.ok) return trusted(opened.value, fail("tool_refused", outcome.text));
    const written = { text: outcome.text, data: { changes: [...outcome.data.changes] } };
    if (outcome.calendar === calendar) return trusted(opened.value, written);
    const saved = await shelf.calendars.save(at, outcome.calendar, version);
    if (saved.ok) return trusted(opened.value, written);
    if (saved.problem.code !== "calendar_moved") return saved;
    lost = saved;
  }
  return lost ?? fail("calendar_moved", "The calendar kept changing.");
}

/** Not remembered says nothing: the first try may still be saving. Null lets the runtime resend, which is safe. */
async function reconcile(
  shelf: Shelf,
  at: CalendarAt,
  key: string,
): Promise<{ happened: boolean; output?: Written } | null> {
  const loaded = await shelf.calendars.load(at);
  if (!loaded.ok || !loaded.value) return null;
  const effect = appliedEffect(loaded.value.calendar, key);
  return effect ? { happened: true, output: { text: effect.text, data: { changes: effect.changes } } } : null;
}
