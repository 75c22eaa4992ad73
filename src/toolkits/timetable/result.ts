// Defines the result of every calendar tool: data and text, or a refusal that leaves the calendar unchanged.
import type { Calendar, TaskChange } from "./schema/calendar.ts";

export type ResultData = Readonly<Record<string, unknown>>;
export type Changes = { readonly changes: readonly TaskChange[] };
export type CalendarSuccess<F extends ResultData = ResultData> = {
  readonly ok: true;
  readonly calendar: Calendar;
  readonly text: string;
  readonly data: F;
};
export type CalendarRefusal = { readonly ok: false; readonly text: string };
/** Check `ok`, never the text, because a task may be named "error analysis". */
export type CalendarResult<F extends ResultData = ResultData> = CalendarSuccess<F> | CalendarRefusal;

export const refuse = (text: string): CalendarRefusal => ({ ok: false, text });

export const succeed = <F extends ResultData>(calendar: Calendar, text: string, data: F): CalendarSuccess<F> => {
  return { ok: true, calendar, text, data };
};

export const succeedWithChanges = (calendar: Calendar, text: string, changes: readonly TaskChange[]) =>
  succeed<Changes>(calendar, text, { changes });
