// Previews what the call of an open gate would change: the events of the affected days before and after. The console
// reads it over HTTP.
import * as z from "zod";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { instantOf, localOf } from "../../tools/ical/zone-offsets.ts";
import type { RouteRequest, RouteThread, ToolkitRoute } from "../../tools/route.ts";
import { dateText, eventView } from "./events/describe.ts";
import { MS_PER_DAY, startOfDay } from "./events/local-days.ts";
import { type Occurrence, occurrencesIn, overlap, type TimeRange } from "./events/occurrences.ts";
import { type ChangePicture, ProposedCalendarChange } from "./schema/views.ts";
import type { Sources } from "./sources/pull.ts";
import type { ObjectChange } from "./store/open-calendar.ts";
import type { Session } from "./tools/session.ts";
import { WRITE_TOOLS } from "./tools/tools.ts";
import { previewOf } from "./tools/write-tool.ts";

const ARGUMENTS_DEPTH_MAX = 16;
const DAYS_MAX = 5;
/** The number of days to compare, starting with the first one that changes. */
const COMPARED_DAYS = 35;

export const changeRoute = (sources: Sources): ToolkitRoute => ({
  method: "get",
  path: "/v1/threads/:id/calendar-change",
  scope: "read",
  openapi: {
    id: "getCalendarChange",
    summary: "Show what the proposed call would change in a calendar",
    description:
      "For an open confirmation gate of a tool of the toolkit `calendar`: the events of the first affected days before and after, against the newest version. Reading changes nothing.",
    query: {
      arguments: {
        schema: z.string().optional(),
        description: "JSON: arguments that would be approved instead of the proposed ones.",
      },
    },
    responses: { 200: { description: "Null: no such call is proposed.", schema: ProposedCalendarChange } },
    problems: ["thread_not_found", "request_invalid", "blob_not_found", "state_corrupt"],
  },
  async handler(request) {
    const change = await proposedChange(sources, request);
    return change.ok ? ok({ body: { proposed: change.value } }) : change;
  },
});

type Proposed = z.infer<typeof ProposedCalendarChange>["proposed"];

async function proposedChange(sources: Sources, request: RouteRequest): Promise<Result<Proposed>> {
  const thread = await request.thread();
  if (!thread.ok) return thread;
  const { gate, metadata } = thread.value.state;
  const tool = gate?.kind === "confirmation" ? WRITE_TOOLS.find(({ name }) => name === gate.call.name) : undefined;
  if (!tool || metadata === null) return ok(null);
  const args = await proposedArguments(thread.value, request.query.arguments);
  if (!args.ok) return args;
  const context = {
    tenant: request.caller.tenant,
    metadata: metadata ?? {},
    now: () => request.now,
    ...(request.time_zone ? { time_zone: request.time_zone } : {}),
    idempotency_key: null,
  };
  const planned = await tool.plan(sources, context, args.value);
  // A calendar that was deleted in the meantime has nothing to preview. The call itself reports the problem.
  if (!planned.ok) return planned.problem.code === "tool_refused" ? ok(null) : planned;
  const { session, plan } = planned.value;
  const { time_zone, id } = session.calendar.head;
  const common = { tool: tool.name, calendar: id, time_zone };
  if (!plan.ok) {
    if (plan.problem.code !== "tool_refused") return plan;
    return ok({ ...common, possible: false, text: plan.problem.message, picture: null });
  }
  const picture = await pictureOf(session, plan.value.changes);
  if (!picture.ok) return picture;
  return ok({ ...common, possible: true, text: previewOf(plan.value.text), picture: picture.value });
}

async function proposedArguments(thread: RouteThread, edited: string | undefined): Promise<Result<unknown>> {
  if (edited === undefined) {
    const call = await thread.proposedCall();
    return call.ok ? ok(call.value?.arguments) : call;
  }
  const read = readStrictJson(edited, ARGUMENTS_DEPTH_MAX);
  return read.ok ? ok(read.value) : fail("request_invalid", `arguments: ${read.issue.found}.`, { field: "arguments" });
}

const detailsOf = ({ title, location, start, end, busy }: Occurrence): string =>
  JSON.stringify([title, location, start, end, busy]);

/** Identifies the occurrence by something that stays the same when it moves. */
const identityOf = ({ object, original }: Occurrence): string => `${object.key} ${original}`;

async function pictureOf(session: Session, changes: readonly ObjectChange[]): Promise<Result<ChangePicture | null>> {
  const { zone, calendar } = session;
  const range = comparedRange(session, changes);
  if (!range) return ok(null);
  const objects = await calendar.inRange(range);
  if (!objects.ok) return objects;
  const changed = new Set(changes.map((one) => (one.after ?? one.before)?.key));
  const others = objects.value.filter(({ key }) => !changed.has(key));
  const sideOf = (side: "before" | "after") =>
    occurrencesIn([...others, ...changes.flatMap((one) => one[side] ?? [])], range, zone);
  const [before, after] = [sideOf("before"), sideOf("after")];
  const changedIn = (list: readonly Occurrence[], other: readonly Occurrence[]) => {
    const known = new Map(other.map((one) => [identityOf(one), detailsOf(one)]));
    return list.filter((one) => changed.has(one.object.key) && known.get(identityOf(one)) !== detailsOf(one));
  };
  const [leaving, arriving] = [changedIn(before, after), changedIn(after, before)];
  const days = [...new Set([...leaving, ...arriving].map(({ start }) => dateText(localOf(zone, start))))].sort();
  if (days.length === 0) return ok(null);
  const shown = days.slice(0, DAYS_MAX);
  const views = (list: readonly Occurrence[]) =>
    list.filter((one) => shown.some((day) => touches(one, day, zone))).map((one) => eventView(one, zone));
  const ids = (list: readonly Occurrence[]) => list.map((one) => eventView(one, zone).id);
  const conflicts = arriving.filter((one) => one.busy && after.some((other) => other.busy && overlap(one, other)));
  return ok({
    days: shown,
    more_days: days.length - shown.length,
    before: views(before),
    after: views(after),
    leaving: ids(leaving),
    arriving: ids(arriving),
    conflicts: ids(conflicts),
  });
}

function touches({ start, end }: Occurrence, day: string, zone: string): boolean {
  const from = Date.parse(`${day}T00:00:00Z`);
  const [first, last] = [localOf(zone, start), localOf(zone, end)];
  return first < from + MS_PER_DAY && (last > from || first >= from);
}

/** Starts at the first day that changes, if possible an upcoming one. Null if none lies in the last year or next two. */
function comparedRange({ zone, now }: Session, changes: readonly ObjectChange[]): TimeRange | null {
  const window = { from: now - 366 * MS_PER_DAY, to: now + 2 * 366 * MS_PER_DAY };
  const starts = (side: "before" | "after") => {
    const objects = changes.flatMap((one) => one[side] ?? []);
    const occurrences = occurrencesIn(objects, window, zone);
    return new Map(occurrences.map((one) => [`${identityOf(one)} ${detailsOf(one)}`, one.start]));
  };
  const [before, after] = [starts("before"), starts("after")];
  const differing = [...before, ...after].filter(([name]) => before.has(name) !== after.has(name)).map(([, at]) => at);
  const upcoming = differing.filter((at) => at >= now - MS_PER_DAY);
  const first = Math.min(...(upcoming.length > 0 ? upcoming : differing));
  if (!Number.isFinite(first)) return null;
  const day = startOfDay(localOf(zone, first));
  return { from: instantOf(zone, day), to: instantOf(zone, day + COMPARED_DAYS * MS_PER_DAY) };
}
