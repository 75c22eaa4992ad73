// Defines the result of every calendar tool: data and text, or a refusal that leaves the calendar unchanged.
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { Calendar, TaskChange } from "./schema/calendar.ts";

export type ResultData = Readonly<Record<string, unknown>>;
export type Changes = { readonly changes: readonly TaskChange[] };
export type CalendarResult<F extends ResultData = ResultData> = Result<{
  readonly calendar: Calendar;
  readonly text: string;
  readonly data: F;
}>;

export const refuse = (text: string): Failed => fail("tool_refused", text);

export const succeed = <F extends ResultData>(calendar: Calendar, text: string, data: F): CalendarResult<F> =>
  ok({ calendar, text, data });

export const succeedWithChanges = (calendar: Calendar, text: string, changes: readonly TaskChange[]) =>
  succeed<Changes>(calendar, text, { changes });
