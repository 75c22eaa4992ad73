// Opens the context of a tool call: the calendar of the thread, its time zone and the time of the call.
import { TenantId } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import type { ToolContext } from "../../../tools/define-tool.ts";
import { type Outcome, outcome } from "../../../tools/outcome.ts";
import { pullCalendar, type Sources } from "../sources/pull.ts";
import type { CalendarRef } from "../store/head.ts";
import type { OpenCalendar, SaveLater } from "../store/open-calendar.ts";
import { refuse } from "./arguments.ts";

export type Session = {
  readonly calendar: OpenCalendar;
  readonly zone: string;
  /** Names the time zone of the calendar, unless the prompt shows the time in the same zone. */
  readonly zoneNote: string;
  readonly now: number;
  /** Identifies what a call creates. All attempts of one effect have the same key. */
  readonly key: string;
};

/** The key of a preview, which creates nothing. */
const NO_KEY = "preview";

export type SessionContext = Pick<
  ToolContext,
  "tenant" | "metadata" | "now" | "time_zone" | "idempotency_key" | "saveWithReceipt"
>;

export async function openSession(
  sources: Sources,
  context: SessionContext,
  named: string | undefined,
): Promise<Result<Session>> {
  const tenant = TenantId.parse(context.tenant);
  const chosen = named ?? (typeof context.metadata.calendar === "string" ? context.metadata.calendar : null);
  const calendar =
    chosen === null
      ? await openDefault(sources, tenant, context)
      : await openNewest(sources, { tenant, calendar: chosen }, context.saveWithReceipt);
  if (!calendar.ok) return calendar.problem.code === "calendar_not_found" ? refuse(calendar.problem.message) : calendar;
  const zone = calendar.value.head.time_zone;
  const isOther = zone !== (context.time_zone ?? "UTC");
  const zoneNote = isOther ? ` Today, tomorrow and next week are those of ${zone}.` : "";
  return ok({ calendar: calendar.value, zone, zoneNote, now: context.now(), key: context.idempotency_key ?? NO_KEY });
}

/** Updates the calendar from its source first. If that cannot be reached, the stored state is used. */
async function openNewest(
  sources: Sources,
  at: CalendarRef,
  saveLater: SaveLater | undefined,
): Promise<Result<OpenCalendar>> {
  const calendar = await sources.store.open(at, saveLater);
  if (!calendar.ok || !calendar.value.head.source) return calendar;
  const pulled = await pullCalendar(sources, at);
  return pulled.ok ? sources.store.open(at) : calendar;
}

/** Opens the default calendar. Without one, reads return an empty calendar, and the first write creates it. */
async function openDefault(
  sources: Sources,
  tenant: TenantId,
  { now, time_zone = "UTC", saveWithReceipt }: SessionContext,
): Promise<Result<OpenCalendar>> {
  const listed = await sources.store.list(tenant);
  if (!listed.ok) return listed;
  const { default: calendar } = listed.value;
  return calendar === null
    ? sources.store.openFirst(tenant, { time_zone, created_at: now() }, saveWithReceipt)
    : openNewest(sources, { tenant, calendar }, saveWithReceipt);
}

/** Marks a result, or a refusal with names of events, as untrusted if other people wrote some of the calendar's text. */
export const withTrust = <O>({ calendar }: Session, value: O, outside = false): O | Outcome<O> =>
  calendar.head.outside || outside ? outcome(value, { output_trust: "untrusted" }) : value;
