// Connects a calendar to a CalDAV account or subscribes it to a file, and updates it.
import * as z from "zod";
import { retryConflict } from "../../../ports/retry.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { type RouteRequest, type ToolkitRoute, toolkitRoute } from "../../../tools/route.ts";
import type { CalendarSource } from "../store/head.ts";
import { pullCalendar, type Sources } from "./pull.ts";
import { sendPushes } from "./push.ts";

type Handler = ToolkitRoute["handler"];

const ConnectBody = z.union([
  z.strictObject({
    account: z.string().min(1).max(80).describe("A name below calendar.accounts in the configuration."),
    collection: z
      .string()
      .max(200)
      .optional()
      .describe("Name or address of the calendar on the server; the first one by default."),
  }),
  z.strictObject({
    subscribe: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe("Address of an iCalendar file; read only."),
  }),
]);
const ConnectResult = z.object({ source: z.string(), changed: z.int() });

export function sourceRoutes(sources: Sources): readonly ToolkitRoute[] {
  const at = ({ caller, params }: RouteRequest) => ({ tenant: caller.tenant, calendar: params.id ?? "" });

  const sync = async (request: RouteRequest): Promise<Result<{ changed: number }>> => {
    if (sources.dav) {
      const sent = await sendPushes({ store: sources.store, dav: sources.dav }, at(request));
      if (!sent.ok) return sent;
    }
    return pullCalendar(sources, at(request));
  };

  const link = (request: RouteRequest, source: CalendarSource | null): Promise<Result<number>> =>
    retryConflict("calendar_moved", async () => {
      const calendar = await sources.store.open(at(request));
      if (!calendar.ok) return calendar;
      if (calendar.value.head.next_seq > 1)
        return fail("request_invalid", "The calendar has events; connect an empty one.");
      return calendar.value.save([], null, { source, outside: source !== null });
    });

  const connectCalendar: Handler = async (request) => {
    const source = await chooseSource(sources, ConnectBody.parse(request.body));
    if (!source.ok) return source;
    const linked = await link(request, source.value);
    if (!linked.ok) return linked;
    const synced = await sync(request);
    if (synced.ok) return ok({ body: { source: source.value.kind, changed: synced.value.changed } });
    await link(request, null);
    return synced;
  };

  const syncCalendar: Handler = async (request) => {
    const synced = await sync(request);
    return synced.ok ? ok({ body: synced.value }) : synced;
  };

  return [
    toolkitRoute(["put", "/v1/calendars/:id/source", "admin"], connectCalendar, {
      id: "connectCalendar",
      summary: "Connect a calendar to a CalDAV account, or subscribe it to a file",
      description:
        "The calendar must be empty. Passwords come from the environment of the server and are never part of a request.",
      body: ConnectBody,
      example: { account: "home" },
      responses: { 200: { description: "It is connected and up to date.", schema: ConnectResult } },
      problems: [
        "calendar_not_found",
        "request_invalid",
        "fetch_failed",
        "blocked_address",
        "calendar_invalid",
        "package_missing",
        "not_supported_here",
      ],
    }),
    toolkitRoute(["post", "/v1/calendars/:id/sync", "advance"], syncCalendar, {
      id: "syncCalendar",
      summary: "Bring a connected or subscribed calendar up to date",
      responses: { 200: { description: "How many events changed.", schema: z.object({ changed: z.int() }) } },
      problems: ["calendar_not_found", "calendar_changed", "fetch_failed", "blocked_address", "outcome_unknown"],
    }),
  ];
}

const NO_ACCOUNTS =
  "This host has no accounts on calendar servers; its configuration names them under calendar.accounts.";

async function chooseSource({ dav }: Sources, body: z.infer<typeof ConnectBody>): Promise<Result<CalendarSource>> {
  if ("subscribe" in body) return ok({ kind: "subscription", url: body.subscribe, etag: null });
  if (!dav) return fail("not_supported_here", NO_ACCOUNTS);
  const collections = await dav.collections(body.account);
  if (!collections.ok) return collections;
  const wanted = body.collection;
  const found = collections.value.find(({ url, name }) => wanted === undefined || url === wanted || name === wanted);
  if (!found) {
    const names = collections.value.map(({ name }) => name).join(", ") || "none";
    return fail("request_invalid", `collection: the account has no such calendar; it has: ${names.slice(0, 400)}.`, {
      field: "collection",
    });
  }
  return ok({ kind: "caldav", account: body.account, url: found.url, sync_token: null });
}
