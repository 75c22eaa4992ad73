// Defines how an event, series or to-do is stored: the original text of its components, and the fields that queries
// need.
import * as z from "zod";

export const Flexibility = z.enum(["fixed", "flexible"]);
export type Flexibility = z.infer<typeof Flexibility>;

/** Local times are milliseconds as if the clock of `zone` showed UTC. If `zone` is null, the calendar's zone applies. */
const span = {
  title: z.string(),
  start: z.number(),
  /** The exclusive end, equal to `start` for an event without a duration. */
  end: z.number(),
  all_day: z.boolean(),
  zone: z.string().nullable(),
  /** True if another event at this time is a conflict. */
  busy: z.boolean(),
  cancelled: z.boolean(),
  location: z.string().nullable(),
};

/** A changed occurrence. `at` is its original start in the zone of the series, `part` its index in `raw`. */
export const Override = z.object({ ...span, at: z.number(), part: z.int().min(1) });
export type Override = z.infer<typeof Override>;

export const StoredObject = z.object({
  ...span,
  /** The UID, or a replacement if the file has none or uses it twice. It is unique in the calendar. */
  key: z.string(),
  /** The number by which tools name the event. It is unique in the calendar and never reused. */
  seq: z.int().min(1),
  /** A to-do has its due time as `start` and `end`. */
  type: z.enum(["event", "todo"]),
  /** The text of the components as they were read or last written: the event first, then its changed occurrences. */
  raw: z.array(z.string()).min(1),
  movable: Flexibility,
  categories: z.array(z.string()),
  /** Minutes before the start, or null if there is no reminder. */
  reminder_min: z.number().nullable(),
  /** The value of RRULE. Null for a single event, and for a series whose rule is not supported. */
  rule: z.string().nullable(),
  exdates: z.array(z.number()),
  rdates: z.array(z.number()),
  overrides: z.array(Override),
  /**
   * The resource on the calendar server that contains the event. Changed occurrences of a series that belongs to
   * another organizer are separate objects with the same `href`.
   */
  remote: z
    .object({
      href: z.string(),
      etag: z.string().nullable(),
      /** The definitions of time zones with custom names, as the server has them. */
      zones: z.array(z.string()).optional(),
      /** Other components of the same resource, which are not shown. */
      others: z.array(z.string()).optional(),
    })
    .nullable(),
});
export type StoredObject = z.infer<typeof StoredObject>;

export const isSeries = ({ rule, rdates }: StoredObject): boolean => rule !== null || rdates.length > 0;
