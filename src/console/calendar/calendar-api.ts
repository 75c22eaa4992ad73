// Defines the requests of the calendar page.
import type { Client } from "../../client/client.ts";
import type { CalendarView, EventList, EventView, ImportReport } from "../../toolkits/calendar/schema/views.ts";
import { type Send, sendText } from "../client/admin-api.ts";

export type { CalendarView, EventList, EventView, ImportReport };

export const createCalendarApi = ({ call }: Pick<Client, "call">, send: Send) => ({
  list: () => call<{ calendars: CalendarView[] }>("GET", "/v1/calendars"),
  create: (name: string, time_zone: string) => call<CalendarView>("POST", "/v1/calendars", { name, time_zone }),
  events: (id: string, from: string, to: string) =>
    call<EventList>("GET", `/v1/calendars/${id}/events?${new URLSearchParams({ from, to })}`),
  connect: (id: string, source: { account: string } | { subscribe: string }) =>
    call<{ changed: number }>("PUT", `/v1/calendars/${id}/source`, source),
  sync: (id: string) => call<{ changed: number }>("POST", `/v1/calendars/${id}/sync`),
  remove: (id: string) => call<void>("DELETE", `/v1/calendars/${id}`),
  importFile: (id: string, file: Blob) =>
    sendText<ImportReport>(send, `/v1/calendars/${id}/ics`, "text/calendar", file, "PUT"),
  async exportFile(id: string): Promise<Blob> {
    return (await send(`/v1/calendars/${id}/ics`, {})).blob();
  },
});
export type CalendarApi = ReturnType<typeof createCalendarApi>;
