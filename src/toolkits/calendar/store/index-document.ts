// Defines the list of a tenant's calendars with their settings, and the default one.
import * as z from "zod";
import { CalendarSettings } from "./head.ts";

export const CalendarEntry = z.object({
  ...CalendarSettings.shape,
  id: z.string(),
  owner: z.string(),
  created_at: z.number(),
  /** The key of the request that created the calendar. */
  key: z.string().nullable(),
});
export type CalendarEntry = z.infer<typeof CalendarEntry>;

/** Entries are validated one by one, so that a damaged one does not hide the others. */
export const StoredIndex = z.object({ calendars: z.array(z.unknown()), default: z.string().nullable() });
export type CalendarIndex = { readonly calendars: readonly CalendarEntry[]; readonly default: string | null };

export const EMPTY_INDEX: CalendarIndex = { calendars: [], default: null };
