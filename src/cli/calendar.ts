// Implements `pawl calendar show|import|connect`.
import { readFileSync } from "node:fs";
import { type Connection, type ServerOptions, withConnection } from "./connect.ts";
import {
  colorize,
  type ExitCode,
  type JsonOption,
  printLine,
  printResult,
  reportError,
  reportProblem,
  terminalLine,
} from "./output.ts";
import { sendText } from "./send-text.ts";

export type CalendarOptions = ServerOptions & JsonOption & { readonly calendar?: string };

type Listed = { readonly id: string; readonly name: string; readonly time_zone: string; readonly default: boolean };
type Event = {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly all_day: boolean;
  readonly location: string | null;
};
type Report = {
  readonly events: number;
  readonly series: number;
  readonly todos: number;
  readonly notes: readonly { readonly title: string; readonly note: string }[];
  readonly left_out: readonly { readonly title: string; readonly reason: string }[];
};

/** Runs `run` with the named calendar, or with the default one. */
const withCalendar = (
  options: CalendarOptions,
  run: (to: Connection, calendar: Listed) => Promise<ExitCode>,
): Promise<ExitCode> =>
  withConnection(options, async (to) => {
    const listed = await to.client.call<{ calendars: Listed[] }>("GET", "/v1/calendars");
    if (!listed.ok) return reportProblem(listed.problem);
    const { calendars } = listed.value;
    const named = options.calendar;
    const found = calendars.find((one) => (named ? one.id === named || one.name === named : one.default));
    if (found) return run(to, found);
    const names = calendars.map(({ id, name }) => `${id} (${terminalLine(name, 60)})`).join(", ") || "none";
    return reportError(
      named ? `There is no calendar ${JSON.stringify(named)}; there are: ${names}.` : "There is no calendar yet.",
    );
  });

type ShowOptions = CalendarOptions & { readonly from?: string; readonly to?: string };

export const showCalendar = (options: ShowOptions): Promise<ExitCode> =>
  withCalendar(options, async ({ client }, { id, name, time_zone }) => {
    const { from, to } = options;
    const query = new URLSearchParams({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
    const path = `/v1/calendars/${id}/events${query.size > 0 ? `?${query}` : ""}`;
    const found = await client.call<{ events: Event[] }>("GET", path);
    return printResult(found, options, ({ events }) => {
      printLine(`${colorize("bold", terminalLine(name, 120))}  ${id}, ${time_zone}`);
      for (const event of events) printLine(`  ${timesOf(event)}  ${terminalLine(event.title, 120)}${placeOf(event)}`);
      if (events.length === 0) printLine("  Nothing is planned in this time.");
    });
  });

function timesOf({ type, start, end, all_day }: Event): string {
  const date = start.slice(0, 10);
  if (type === "todo") return `${date} due ${all_day ? "that day" : start.slice(11, 16)}`;
  return `${date} ${all_day ? "all day    " : `${start.slice(11, 16)}–${end.slice(11, 16)}`}`;
}
const placeOf = ({ location }: Event): string => (location ? ` (${terminalLine(location, 80)})` : "");

export const importCalendar = (path: string, options: CalendarOptions): Promise<ExitCode> =>
  withCalendar(options, async (connection, { id }) => {
    let body: Uint8Array<ArrayBuffer>;
    try {
      body = new Uint8Array(readFileSync(path));
    } catch {
      return reportError(`The file ${path} cannot be read.`);
    }
    const sent = await sendText(connection, ["PUT", `/v1/calendars/${id}/ics`], { type: "text/calendar", body });
    const result = sent.ok ? { ok: true as const, value: (await sent.value.json()) as Report } : sent;
    return printResult(result, options, ({ events, series, todos, notes, left_out }) => {
      printLine(`Imported ${events} events, ${series} series and ${todos} deadlines into ${id}.`);
      for (const { title, reason } of left_out) printLine(`  left out: ${terminalLine(title, 120)}: ${reason}`);
      for (const { title, note } of notes) printLine(`  note: ${terminalLine(title, 120)}: ${note}`);
    });
  });

type ConnectOptions = CalendarOptions & { readonly subscribe?: string; readonly collection?: string };

export const connectCalendar = (account: string | undefined, options: ConnectOptions): Promise<ExitCode> =>
  withCalendar(options, async ({ client }, { id }) => {
    const { subscribe, collection } = options;
    if ((account === undefined) === (subscribe === undefined))
      return reportError("Give either the name of an account of the configuration, or --subscribe <address>.");
    const source = subscribe ? { subscribe } : { account, ...(collection ? { collection } : {}) };
    const path = `/v1/calendars/${id}/source`;
    const connected = await client.call<{ source: string; changed: number }>("PUT", path, source);
    return printResult(connected, options, ({ source: kind, changed }) =>
      printLine(`${id} is connected (${kind}): ${changed} entries were read.`),
    );
  });
