// The calendars of a tenant with their settings, and which of them is used where none is named.
import * as z from "zod";
import { CalendarSettings } from "./head.ts";

export const CalendarEntry = z.object({
  ...CalendarSettings.shape,
  id: z.string(),
  owner: z.string(),
  created_at: z.number(),
  /** The key of the request that created it. */
  key: z.string().nullable(),
});
export type CalendarEntry = z.infer<typeof CalendarEntry>;

/** Entries are read one by one. */
export const StoredIndex = z.object({ calendars: z.array(z.unknown()), default: z.string().nullable() });
export type CalendarIndex = { readonly calendars: readonly CalendarEntry[]; readonly default: string | null };

export const EMPTY_INDEX: CalendarIndex = { calendars: [], default: null };
