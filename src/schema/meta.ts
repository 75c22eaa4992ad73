// Defines the list row of a thread, used to list threads and open gates. It is committed together with the record that changes it.
import * as z from "zod";
import { Arguments } from "./decision/decision.ts";
import { Gate } from "./gate.ts";
import { ThreadId } from "./ids.ts";
import { Background, RunOutcome, ThreadStateName } from "./thread.ts";

export const METADATA_BYTES_MAX = 2048;
export const META_GOAL_CHARS = 160;

export const Meta = z.object({
  thread: ThreadId,
  state: ThreadStateName,
  at: z.string().nullable(),
  outcome: RunOutcome.nullable(),
  agent: z.string(),
  goal: z.string(),
  /** The title that a person gave, or the goal of the first run once there is a second run. */
  title: z.string().optional(),
  gate: Gate.nullable(),
  /** The status of a background run, even if its retries are exhausted. */
  background: Background.shape.status.optional(),
  parent: ThreadId.optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int().min(0),
  /** The metadata of a new thread. Null in an append, which keeps the metadata of the stored row. */
  metadata: Arguments.nullable(),
  /** True if the stored row cannot be read. The other fields then come from its position in the list, or from the thread itself. */
  damaged: z.literal(true).optional(),
});
export type Meta = z.infer<typeof Meta>;

/** What a store knows about a row in addition to its text. It is enough to list the row and to read the next page. */
export type MetaPlace = {
  readonly thread: string;
  readonly created_at: string;
  readonly state: string;
  /** Present if the list is ordered by it. */
  readonly updated_at?: string;
};

/** For an SQLite index by last change. It reads the stored text, because files of earlier releases have no column for this time. */
export const ACTIVITY_SQL =
  "CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.updated_at'), created_at) ELSE created_at END";

/** The fields that a list needs. Rows of other releases may have more fields, and gates in another form. */
const Listed = z.looseObject({
  thread: z.string(),
  state: ThreadStateName,
  agent: z.string(),
  goal: z.string(),
  gate: z.looseObject({ id: z.string(), kind: z.string() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.number(),
});

/** A damaged row is listed as such, because it must not hide all others. `read` may throw. */
export function readMeta(place: MetaPlace, read: () => unknown): Meta {
  try {
    const listed = Listed.safeParse(read());
    if (listed.success) return listed.data as unknown as Meta;
  } catch {
    // The text is not valid JSON.
  }
  return damagedMeta(place);
}

function damagedMeta({ thread, created_at, state, updated_at = created_at }: MetaPlace): Meta {
  const known = ThreadStateName.safeParse(state);
  return {
    thread: thread as Meta["thread"],
    state: known.success ? known.data : "failed",
    at: null,
    outcome: null,
    agent: "",
    goal: "",
    gate: null,
    created_at,
    updated_at,
    version: 0,
    metadata: null,
    damaged: true,
  };
}
