// Defines the tools of the toolkit: name, arguments, description for the model, and function.
import * as z from "zod";
import { retryConflict } from "../../../ports/retry.ts";
import { type Failed, ok, type Result } from "../../../schema/problem.ts";
import { defineTool, type Tool } from "../../../tools/define-tool.ts";
import type { Outcome } from "../../../tools/outcome.ts";
import { createEventInput, planCreate } from "../changes/create-event.ts";
import { moveEventInput, planMove, planSwap, swapEventsInput } from "../changes/move-event.ts";
import { planBlocks, planBlocksInput } from "../changes/plan-blocks.ts";
import type { PlannedChange } from "../changes/planned-change.ts";
import { cancelEventInput, planCancel, planUpdate, updateEventInput } from "../changes/update-event.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { Sources } from "../sources/pull.ts";
import { pushesFor } from "../sources/pushes-for.ts";
import type { ChangeNote } from "../store/open-calendar.ts";
import { CalendarId, refuse } from "./arguments.ts";
import { checkCalendar, checkCalendarInput } from "./check-calendar.ts";
import { findTime, findTimeInput, listEvents, listEventsInput, ReadOutput, type ReadResult } from "./reads.ts";
import { openSession, type Session, withTrust } from "./session.ts";
import { CALENDAR_MANIFEST, type PreviewableTool, previewableTool } from "./write-tool.ts";

type ReadSpec<I> = {
  readonly name: string;
  readonly description: string;
  readonly hint: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly input: z.ZodType<I>;
  readonly run: (session: Session, input: I) => Promise<Result<ReadResult>>;
};

type ToolAnswer = ReadResult | Failed | Outcome<ReadResult | Failed>;

function readTool<I extends { readonly calendar?: string | undefined }>(sources: Sources, spec: ReadSpec<I>): Tool {
  return defineTool(
    {
      ...CALENDAR_MANIFEST,
      name: spec.name,
      description: spec.description,
      prompt_hint: spec.hint,
      examples: [{ arguments: { ...spec.example }, result: null }],
      tags: ["calendar", "read"],
      input: spec.input,
      output: ReadOutput,
      permission: "READ",
    },
    async (input, context) => {
      // A reader that was overtaken by a writer starts again with the newer version.
      const read = await retryConflict<ToolAnswer>("calendar_moved", async () => {
        const session = await openSession(sources, context, input.calendar);
        if (!session.ok) return session;
        const result = await spec.run(session.value, input);
        if (!result.ok) return result.problem.code === "tool_refused" ? ok(withTrust(session.value, result)) : result;
        const { outside = false, ...shown } = result.value;
        return ok(withTrust(session.value, shown, outside));
      });
      return read.ok ? read.value : read;
    },
  );
}

export const WRITE_TOOLS: readonly PreviewableTool[] = [
  previewableTool({
    name: "create_event",
    description:
      "Creates an event or a series. Refuses a time that is taken, and work that would end after its deadline.",
    hint: "find a free time first, unless the user named one",
    example: { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 },
    input: createEventInput,
    plan: planCreate,
  }),
  previewableTool({
    name: "move_event",
    description:
      "Moves an event to another time. One occurrence of a series becomes an exception; scope moves more of it.",
    hint: "the id comes from list_events",
    example: { id: "e12@2026-03-02", start: "2026-03-03T14:00" },
    input: moveEventInput,
    plan: planMove,
  }),
  previewableTool({
    name: "update_event",
    description: "Changes title, place, description, attendees, categories, reminder or busy state of an event.",
    hint: "its time stays as it is",
    example: { id: "e12@2026-03-02", location: "Room 2" },
    input: updateEventInput,
    plan: planUpdate,
  }),
  previewableTool({
    name: "cancel_event",
    description: "Removes an event, one occurrence of a series, or more of it by scope.",
    hint: "the id comes from list_events",
    example: { id: "e12@2026-03-02", scope: "this" },
    input: cancelEventInput,
    plan: planCancel,
  }),
  previewableTool({
    name: "plan_blocks",
    description:
      "Places several blocks of work in free time before a day, evenly or as early as possible. All or nothing.",
    hint: "use it for study or focus time",
    example: { title: "Thesis", total_min: 360, block_min: 90, until: "2026-03-13" },
    input: planBlocksInput,
    plan: planBlocks,
  }),
  previewableTool({
    name: "swap_events",
    description: "Exchanges the times of two events; each keeps its length.",
    hint: "both ids come from list_events",
    example: { first: "e12@2026-03-02", second: "e14@2026-03-03" },
    input: swapEventsInput,
    plan: planSwap,
  }),
  previewableTool({
    name: "undo_calendar_change",
    // Tool names are unique in a host, and the timetable toolkit already has a tool undo_last_change.
    also_named: ["undo_last_change"],
    description: "Undoes the newest change of the calendar that is not undone yet, whoever made it.",
    hint: "use it when the user wants a change taken back",
    example: {},
    input: z.strictObject({ calendar: CalendarId }),
    plan: planUndo,
    save: undoChange,
  }),
];

export const calendarTools = (sources: Sources): Tool[] => [
  readTool(sources, {
    name: "list_events",
    description: "Lists events, occurrences of series and deadlines in a range, with local times and ids.",
    hint: "see what is on before changing anything; ids of events come from here",
    example: { from: "2026-03-02", to: "2026-03-08" },
    input: listEventsInput,
    run: listEvents,
  }),
  readTool(sources, {
    name: "find_time",
    description:
      "Finds free times of a given length within working hours: the first in each gap and in the preferred part of the day. Best first.",
    hint: "find a free time before an event is created or moved",
    example: { duration_min: 60, from: "2026-03-02", to: "2026-03-06", prefer: "morning" },
    input: findTimeInput,
    run: (session, input) => findTime(session, input, sources.store),
  }),
  readTool(sources, {
    name: "check_calendar",
    description:
      "Checks a range for overlaps, events outside working hours and long stretches without a break; load per day.",
    hint: "judge how good or full a week is",
    example: { from: "2026-03-02", to: "2026-03-08" },
    input: checkCalendarInput,
    run: checkCalendar,
  }),
  ...WRITE_TOOLS.map(({ tool }) => tool(sources)),
];

/** On a connected calendar, the undo is a new change that the server checks like any other. */
async function undoChange({ calendar }: Session, note: ChangeNote): Promise<Result<number>> {
  const { source, pushes, changes } = calendar.head;
  const last = calendar.undoable();
  if (source?.kind !== "caldav" || !last?.before) return calendar.undo(note);
  const all = await calendar.all();
  if (!all.ok) return all;
  const current = new Map(all.value.map((object) => [object.key, object]));
  const restored = Object.entries(last.before).map(([key, { object }]) => {
    const before = current.get(key) ?? null;
    const remote = before?.remote ?? remoteOfRestored(object, all.value);
    return { before, after: object && { ...object, remote } };
  });
  const log = changes.map((one) => (one === last ? { ...one, undone: true, before: null } : one));
  const waiting = [...pushes, ...pushesFor(source, { changes: restored, all: all.value }, note.key)];
  return calendar.save(restored, note, { pushes: waiting, changes: log });
}

/** The resource in which to restore a removed event. Its ETag is that of another object in it, or null. */
function remoteOfRestored(removed: StoredObject | null, all: readonly StoredObject[]): StoredObject["remote"] {
  if (!removed?.remote) return null;
  const { href } = removed.remote;
  const beside = all.find(({ remote }) => remote?.href === href);
  return beside?.remote ?? { ...removed.remote, etag: null };
}

/** An import is undone as a whole, so its plan lists no events. */
async function planUndo({ calendar }: Session): Promise<Result<PlannedChange>> {
  const last = calendar.undoable();
  if (!last?.before) return refuse("There is no change that can be undone.");
  const all = await calendar.all();
  if (!all.ok) return all;
  const current = new Map(all.value.map((object) => [object.key, object]));
  const changes = Object.entries(last.before).map(([key, { object }]) => ({
    before: current.get(key) ?? null,
    after: object,
  }));
  return ok({ changes, shown: [], text: `Undone: ${last.text}` });
}
