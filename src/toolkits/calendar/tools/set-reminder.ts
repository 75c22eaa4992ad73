// Implements the tool set_reminder, which schedules a message to the thread at a time or before an event. Webhook
// subscribers are notified as for any message.
import * as z from "zod";
import { isoTime } from "../../../ports/clock.ts";
import type { Schedules } from "../../../ports/schedules.ts";
import { TenantId, ThreadId } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../../tools/define-tool.ts";
import { instantOf } from "../../../tools/ical/zone-offsets.ts";
import { spanText } from "../events/describe.ts";
import type { Sources } from "../sources/pull.ts";
import { CalendarId, EventId, isDate, minutesMs, readLocal, refuse, TimeText } from "./arguments.ts";
import { findEvent } from "./find-event.ts";
import { openSession, type Session, withTrust } from "./session.ts";
import { CALENDAR_MANIFEST } from "./write-tool.ts";

const Input = z.strictObject({
  text: z.string().trim().min(1).max(400).describe("what to remind of"),
  at: TimeText.optional().describe("local time such as 2026-03-02T09:15; give at or event"),
  event: EventId.optional().describe("id of an event, as lists of events show it"),
  before_min: z.int().min(0).max(40_320).default(15).describe("with event: minutes before its start"),
  calendar: CalendarId,
});
type Input = z.infer<typeof Input>;
const Output = z.object({ text: z.string(), schedule: z.string(), at: z.string() });

export const setReminder = (sources: Sources, schedules: Schedules): Tool =>
  defineTool(
    {
      ...CALENDAR_MANIFEST,
      name: "set_reminder",
      description: "Posts a reminder into this thread at a time, or some minutes before an event.",
      prompt_hint: "when the user wants to be reminded",
      examples: [{ arguments: { text: "Call Sam", at: "2026-03-03T09:00" }, result: null }],
      tags: ["calendar", "write"],
      input: Input,
      output: Output,
      permission: "WRITE",
      scope: "DB_WRITE",
      effect: "keyed",
      requires_confirmation: true,
      subagent_allowed: false,
      runs_later: true,
      check: async (input, context) => {
        const due = await dueOf(sources, input, context);
        if (!due.ok) return due;
        return hasEnded(due.value) ? refusePast() : null;
      },
      preview: async (input, context) => {
        const due = await dueOf(sources, input, context);
        return due.ok && !hasEnded(due.value) ? `Remind of ${JSON.stringify(input.text)} ${due.value.when}.` : null;
      },
    },
    async (input, context) => {
      const due = await dueOf(sources, input, context);
      if (!due.ok) return due;
      const { session, instant, when } = due.value;
      const message = `Reminder: ${input.text}`;
      const created = await schedules.create(TenantId.parse(context.tenant), {
        actor: `thread ${context.thread}`,
        key: context.idempotency_key ?? context.operation_id,
        input: {
          name: input.text.slice(0, 120),
          when: { kind: "once", at: isoTime(instant) },
          what: {
            kind: "message",
            thread: ThreadId.parse(context.thread),
            message: { type: "message", text: message },
          },
        },
        untrusted: (context.tainted ?? false) || session.calendar.head.outside,
      });
      // Refused only now, because a call that is resent after the time of its reminder returns the first attempt's.
      if (!created.ok) return hasEnded(due.value) ? refusePast() : created;
      const text = `Reminder ${created.value.id} is set: ${JSON.stringify(input.text)} ${when}.`;
      return withTrust(session, { text, schedule: created.value.id, at: isoTime(instant) });
    },
  );

type Due = { readonly session: Session; readonly instant: number; readonly when: string };

async function dueOf(sources: Sources, input: Input, context: ToolContext): Promise<Result<Due>> {
  if ((input.at === undefined) === (input.event === undefined)) return refuse("at: pass either at or event.");
  const opened = await openSession(sources, context, input.calendar);
  if (!opened.ok) return opened;
  const session = opened.value;
  const instant = input.event === undefined ? timeOf(session, input.at ?? "") : await beforeEvent(session, input);
  if (!instant.ok) return instant;
  const at = { start: instant.value, end: instant.value, all_day: false };
  return ok({ session, instant: instant.value, when: `on ${spanText(at, session.zone)}` });
}

const hasEnded = ({ session, instant }: Due): boolean => instant <= session.now;
const refusePast = () => refuse("at: that time is over; a reminder needs a time in the future.");

function timeOf({ zone }: Session, at: string): Result<number> {
  if (isDate(at)) return refuse("at: a reminder needs a time of day, such as 2026-03-02T09:15.");
  const local = readLocal("at", at, zone);
  return local.ok ? ok(instantOf(zone, local.value)) : local;
}

async function beforeEvent(session: Session, { event = "", before_min }: Input): Promise<Result<number>> {
  const found = await findEvent(session, "event", event);
  return found.ok ? ok(found.value.start - minutesMs(before_min)) : found;
}
