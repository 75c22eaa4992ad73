// Defines the requests of the calendar page.
import type { Problem, Result } from "../../schema/problem.ts";
import type { CalendarView, EventList, EventView, ImportReport } from "../../toolkits/calendar/schema/views.ts";

export type { CalendarView, EventList, EventView, ImportReport };

type Call = <T>(method: string, path: string, body?: unknown) => Promise<Result<T>>;
/** Sends a request with the key of the caller. */
type Send = (path: string, init: RequestInit) => Promise<Response>;

export const createCalendarApi = (call: Call, send: Send) => ({
  list: () => call<{ calendars: CalendarView[] }>("GET", "/v1/calendars"),
  create: (name: string, time_zone: string) => call<CalendarView>("POST", "/v1/calendars", { name, time_zone }),
  events: (id: string, from: string, to: string) =>
    call<EventList>("GET", `/v1/calendars/${id}/events?${new URLSearchParams({ from, to })}`),
  connect: (id: string, source: { account: string } | { subscribe: string }) =>
    call<{ changed: number }>("PUT", `/v1/calendars/${id}/source`, source),
  sync: (id: string) => call<{ changed: number }>("POST", `/v1/calendars/${id}/sync`),
  remove: (id: string) => call<void>("DELETE", `/v1/calendars/${id}`),
  async importFile(id: string, file: Blob): Promise<Result<ImportReport>> {
    const response = await send(`/v1/calendars/${id}/ics`, {
      method: "PUT",
      headers: { "content-type": "text/calendar" },
      body: file,
    });
    const body: unknown = await response.json();
    return response.ok ? { ok: true, value: body as ImportReport } : { ok: false, problem: body as Problem };
  },
  async exportFile(id: string): Promise<Blob> {
    return (await send(`/v1/calendars/${id}/ics`, {})).blob();
  },
});
export type CalendarApi = ReturnType<typeof createCalendarApi>;
