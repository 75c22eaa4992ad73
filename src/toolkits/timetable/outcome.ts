// What every scheduling operation gives back: facts and a text, or a refusal that leaves the calendar as it was.
import type { Calendar, Change } from "./schema/calendar.ts";

export type Facts = Readonly<Record<string, unknown>>;
export type Changes = { readonly changes: readonly Change[] };
export type Done<F extends Facts = Facts> = {
  readonly ok: true;
  readonly calendar: Calendar;
  readonly text: string;
  readonly data: F;
};
export type Refused = { readonly ok: false; readonly text: string };
/** Success is the flag, never a word in the text: a task may be called "error analysis". */
export type Outcome<F extends Facts = Facts> = Done<F> | Refused;

export const refuse = (text: string): Refused => ({ ok: false, text });

export const report = <F extends Facts>(calendar: Calendar, text: string, data: F): Done<F> => ({
  ok: true,
  calendar,
  text,
  data,
});

export const changed = (calendar: Calendar, text: string, changes: readonly Change[]): Done<Changes> =>
  report(calendar, text, { changes });
