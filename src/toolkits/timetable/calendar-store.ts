// What a store of calendars must promise: one versioned document per {tenant, calendar}, saved by compare-and-set.

import type { TenantId } from "../../schema/ids.ts";
import type { Result } from "../../schema/problem.ts";
import type { Calendar } from "./schema/calendar.ts";

/** A thread's own calendar is named by the thread's id. */
export type CalendarRef = { readonly tenant: TenantId; readonly calendar: string };
export type LoadedCalendar = { readonly calendar: Calendar; readonly version: number };

export interface CalendarStore {
  /** Null when there is none; never older than an acknowledged save. `calendar.version` equals `version`. */
  load(at: CalendarRef): Promise<Result<LoadedCalendar | null>>;
  /**
   * Saves version n+1 only over version n (0: there must be none yet) and gives the new version. Of two racing saves
   * exactly one wins, the other gets `calendar_moved` with details {version}.
   */
  save(at: CalendarRef, calendar: Calendar, over: number): Promise<Result<number>>;
  /** False, and nothing changes, when there is nothing to copy or the target exists: copying twice is harmless. */
  copy(from: CalendarRef, to: CalendarRef): Promise<Result<boolean>>;
  /** Removing what is not there is fine. */
  remove(at: CalendarRef): Promise<Result<void>>;
  close(): Promise<void>;
}
