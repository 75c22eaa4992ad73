// Implements the tool plan_blocks, which places several blocks of work in free time, evenly or as early as possible. If
// one of them does not fit, none is placed.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { isSecondHour, localEndOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { instantText, spanText } from "../events/describe.ts";
import { freeGaps, type Gap, onGrid } from "../events/free-time.ts";
import { MS_PER_DAY } from "../events/local-days.ts";
import { byStart, type Occurrence } from "../events/occurrences.ts";
import { parseRange, readRange } from "../events/read-range.ts";
import type { StoredObject } from "../events/stored-object.ts";
import { createObject } from "../ics/change-object.ts";
import { CalendarId, ClockTime, eventFields, Minutes, minutesMs, refuse, Title } from "../tools/arguments.ts";
import type { Session } from "../tools/session.ts";
import { deadlineOf, type PlannedChange, spanView } from "./planned-change.ts";

const BLOCKS_MAX = 60;

export const planBlocksInput = z.strictObject({
  title: Title,
  total_min: z.int().min(5).max(20_000).describe("minutes of work in all"),
  block_min: Minutes.describe("length of one block"),
  from: z.string().max(40).optional().describe("now by default"),
  until: z.string().max(40).describe("the last day, or a time; a deadline of this title may be earlier"),
  spread: z.enum(["even", "early"]).default("even"),
  max_per_day: z.int().min(1).max(12).default(2).describe("blocks"),
  within: z
    .strictObject({ start: ClockTime, end: ClockTime })
    .optional()
    .describe("hours of the day; the working hours by default"),
  ...eventFields,
  calendar: CalendarId,
});
type Input = z.infer<typeof planBlocksInput>;

type Block = { readonly start: number; readonly end: number };

export async function planBlocks(session: Session, input: Input): Promise<Result<PlannedChange>> {
  const { zone, now, key, calendar } = session;
  const lengths = blockLengths(input);
  if (lengths.length > BLOCKS_MAX)
    return refuse(`total_min: that would be ${lengths.length} blocks; at most ${BLOCKS_MAX} are placed at once.`);
  const range = parseRange(input.from ?? new Date(localOf(zone, now)).toISOString().slice(0, 16), input.until, zone);
  if (!range.ok) return refuse(range.problem.message.replace(/^to:/, "until:"));
  const due = await deadlineOf(session, input.title, range.value.to);
  if (!due.ok) return due;
  const limits = {
    from: Math.max(range.value.from, now),
    to: Math.min(range.value.to, due.value?.start ?? range.value.to),
  };
  const events = await readRange(calendar, { from: limits.from - MS_PER_DAY, to: limits.to + MS_PER_DAY });
  if (!events.ok) return refuse(events.problem.message);
  const busy = events.value.filter((one) => one.busy).sort(byStart);
  const days = freeBlocks(busy, session, limits, input);
  const placed = choose(days, lengths, input);
  if (!placed) {
    const limit = `${instantText(limits.to, zone)}${due.value ? " (its deadline)" : ""}`;
    return refuse(
      `There is no room for ${lengths.length} blocks of ${input.block_min} minutes before ${limit}. Nothing was changed.`,
    );
  }
  const { title, location, description, attendees, categories, movable = "flexible", reminder_min } = input;
  const fields = { title, location, description, attendees, categories, movable, reminder_min };
  const objects = placed.map((block, n): StoredObject => {
    const times = { start: localOf(zone, block.start), end: localEndOf(zone, block.end), all_day: false, zone };
    const event = { ...times, uid: `${key}-${n + 1}@pawl`, rule: null, fields };
    return createObject(event, calendar.head.next_seq + n, { zone, now });
  });
  const spans = placed.map((block) => ({ ...block, all_day: false }));
  const minutes = lengths.reduce((sum, length) => sum + length, 0);
  const lines = spans.map(
    (span, n) =>
      `- ${spanText(span, zone)} [e${calendar.head.next_seq + n}@${spanView(span, zone).start.slice(0, 10)}]`,
  );
  const count = placed.length === 1 ? "1 block" : `${placed.length} blocks`;
  return ok({
    changes: objects.map((after) => ({ before: null, after })),
    shown: spans.map((span) => ({ title, before: null, after: spanView(span, zone) })),
    text: [`Planned ${count} of "${title}", ${minutes} minutes in all:`, ...lines].join("\n"),
  });
}

/** The last block takes the remaining minutes, and is omitted if they are fewer than five. */
function blockLengths({ total_min, block_min }: Input): number[] {
  const whole = Math.floor(total_min / block_min);
  const rest = total_min - whole * block_min;
  return [...Array<number>(whole).fill(block_min), ...(rest >= 5 ? [rest] : [])];
}

/** The possible blocks of each day that has room, earliest first and without overlap. */
function freeBlocks(
  busy: readonly Occurrence[],
  { zone, calendar }: Session,
  range: { from: number; to: number },
  { block_min, max_per_day, within }: Input,
): Block[][] {
  const length = minutesMs(block_min);
  const gaps = freeGaps(busy, { range, zone, hours: calendar.head.working_hours, within });
  const byDay = Map.groupBy(gaps, (gap) => Math.floor(localOf(zone, gap.from) / MS_PER_DAY));
  const blocksIn = (gap: Gap): Block[] => {
    const blocks: Block[] = [];
    for (let start = onGrid(gap.from, zone); start + length <= gap.to; start = onGrid(start + length, zone))
      if (!isSecondHour(zone, start)) blocks.push({ start, end: start + length });
    return blocks;
  };
  return [...byDay.values()]
    .map((list) => list.flatMap(blocksIn).slice(0, max_per_day))
    .filter((blocks) => blocks.length > 0);
}

/**
 * Returns null if there are too few blocks. For an even spread, each round adds at most one block per day. If fewer
 * blocks than days are needed, the chosen days are at equal distances.
 */
function choose(days: readonly Block[][], lengths: readonly number[], { spread, max_per_day }: Input): Block[] | null {
  const count = lengths.length;
  const chosen: Block[] = [];
  if (spread === "early") chosen.push(...days.flat().slice(0, count));
  for (let round = 0; chosen.length < count && round < max_per_day && spread === "even"; round += 1) {
    const open = days.flatMap((blocks) => blocks.slice(round, round + 1));
    const wanted = Math.min(count - chosen.length, open.length);
    for (let n = 0; n < wanted; n += 1) chosen.push(open[Math.floor((n * open.length) / wanted)] as Block);
  }
  if (chosen.length < count) return null;
  return chosen
    .sort((a, b) => a.start - b.start)
    .map(({ start }, n) => ({ start, end: start + minutesMs(lengths[n] ?? 0) }));
}
