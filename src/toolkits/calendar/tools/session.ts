// What a tool call works on: the calendar that the thread uses, its zone and the time of the call.
import { TenantId } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import type { ToolContext } from "../../../tools/define-tool.ts";
import { type Outcome, outcome } from "../../../tools/outcome.ts";
import { pullCalendar, type Sources } from "../sources/pull.ts";
import type { CalendarStore } from "../store/calendar-store.ts";
import type { CalendarRef } from "../store/head.ts";
import type { OpenCalendar, SaveLater } from "../store/open-calendar.ts";
import { refuse } from "./arguments.ts";

export type Session = {
  readonly calendar: OpenCalendar;
  readonly zone: string;
  readonly now: number;
  /** Names what a call creates, equal for every attempt of one effect. */
  readonly key: string;
};

/** The key that stands in while a call is only looked at. */
const NO_KEY = "preview";

export type SessionContext = Pick<ToolContext, "tenant" | "metadata" | "now" | "idempotency_key" | "saveWithReceipt">;

export async function openSession(
  sources: Sources,
  context: SessionContext,
  named: string | undefined,
): Promise<Result<Session>> {
  const { store } = sources;
  const tenant = TenantId.parse(context.tenant);
  const chosen = named ?? (typeof context.metadata.calendar === "string" ? context.metadata.calendar : null);
  const id = chosen ?? (await defaultCalendar(store, tenant));
  if (typeof id !== "string")
    return id.ok
      ? refuse(
          "There is no calendar yet. Tools cannot create one: the user does, in the console or with POST /v1/calendars.",
        )
      : id;
  const calendar = await openNewest(sources, { tenant, calendar: id }, context.saveWithReceipt);
  if (!calendar.ok) return calendar.problem.code === "calendar_not_found" ? refuse(calendar.problem.message) : calendar;
  const zone = calendar.value.head.time_zone;
  return ok({ calendar: calendar.value, zone, now: context.now(), key: context.idempotency_key ?? NO_KEY });
}

/** Changes on the server are seen by the next call. If it cannot be reached, the calendar is used as it was. */
async function openNewest(
  sources: Sources,
  at: CalendarRef,
  saveLater: SaveLater | undefined,
): Promise<Result<OpenCalendar>> {
  const calendar = await sources.store.open(at, saveLater);
  if (!calendar.ok || !calendar.value.head.source) return calendar;
  const pulled = await pullCalendar(sources, at);
  return pulled.ok && pulled.value.changed > 0 ? sources.store.open(at) : calendar;
}

async function defaultCalendar(store: CalendarStore, tenant: TenantId): Promise<string | Result<null>> {
  const listed = await store.list(tenant);
  if (!listed.ok) return listed;
  return listed.value.default ?? ok(null);
}

/** Others wrote some of the text of an imported calendar. Refusals name events, too. */
export const withTrust = <O>({ calendar }: Session, value: O): O | Outcome<O> =>
  calendar.head.outside ? outcome(value, { output_trust: "untrusted" }) : value;
