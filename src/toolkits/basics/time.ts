// Returns the current time and calculates with dates in a time zone.
import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { addDuration, formatTime, isTimeZone, localTimeIn, parseTime } from "../../tools/time-zone.ts";
import { resolvePhrase } from "./time-phrase.ts";

/** The schema does not declare this limit, because that would make the description of every unit longer. */
const amount = z
  .int()
  .refine((n) => Math.abs(n) <= 100_000, "must be at most 100,000 either way")
  .optional();
const TIME = "YYYY-MM-DD or YYYY-MM-DD HH:MM in the zone, or with an offset such as Z or +02:00";
/** The first instant of the year 1. */
const EARLIEST = -62_135_596_800_000;
/** The last instant of the year 9999, after which ISO 8601 needs more than four digits. */
const LATEST = 253_402_300_799_999;

const Output = z.object({
  at: z.string(),
  in_words: z.string(),
  difference: z
    .object({
      seconds: z.number(),
      in_words: z.string(),
      /** The number of midnights between the two times in the zone. It is negative if the end is earlier. */
      calendar_days: z.int(),
      /** The end of the period, with its weekday. */
      until: z.string(),
    })
    .nullable(),
  /** The possible meanings of the phrase, the most likely first. */
  candidates: z
    .array(
      z.object({
        at: z.string(),
        in_words: z.string(),
        precision: z.enum(["day", "range", "time"]),
        /** The end of a range, such as a part of a day. */
        until: z.string().nullable(),
      }),
    )
    .optional(),
  /** The part of the phrase that was understood. */
  understood: z.string().optional(),
  /** The words that were not read, if there are any. They may change the meaning. */
  not_read: z.string().optional(),
});
type Output = z.infer<typeof Output>;

const createTimeTool = (name: string, toolset: string): Tool =>
  defineTool(
    {
      name,
      description:
        'Tell the time, resolve a phrase such as "next Tuesday morning", add to a time, or tell how far two times are apart.',
      toolset,
      category: "context",
      permission: "READ",
      repeatable: true,
      prompt_hint: "For durations, far dates and unclear phrases.",
      input: z.object({
        zone: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .describe("time zone such as Europe/Berlin; default: that of the server"),
        phrase: z
          .string()
          .min(1)
          .max(80)
          .optional()
          .describe("a date or time in the user's words; gives candidates; only with zone"),
        from: z.string().max(40).optional().describe(`start; default: now; to count days, a date. ${TIME}`),
        add: z
          .object({ years: amount, months: amount, weeks: amount, days: amount, hours: amount, minutes: amount })
          .optional()
          .describe("amounts to add to the start; negative amounts subtract"),
        until: z
          .string()
          .max(40)
          .optional()
          .describe("end, in the form of from: tells its weekday, the calendar days and the exact time until then"),
      }),
      output: Output,
      render: ({ at, in_words, difference, candidates, understood, not_read }) =>
        candidates
          ? [
              `Understood: ${JSON.stringify(understood)}${not_read ? `; not read: ${JSON.stringify(not_read)}` : ""}`,
              ...candidates.map(renderCandidate),
            ].join("\n")
          : [`${in_words} = ${at}`, ...(difference ? [renderDifference(difference)] : [])].join("\n"),
      examples: [
        {
          arguments: { zone: "Europe/Berlin", from: "2026-01-31", add: { months: 1 } },
          result: "Saturday 2026-02-28 00:00:00 Europe/Berlin (UTC+01:00) = 2026-02-27T23:00:00.000Z",
        },
      ],
    },
    async ({ phrase, zone: named, from, add, until }, { now, time_zone }) => {
      // A phrase is in the user's words, so it refers to the user's time zone.
      const zone = named ?? time_zone ?? "UTC";
      if (!isTimeZone(zone))
        return fail("tool_refused", `There is no time zone ${JSON.stringify(zone)}; use a name such as Europe/Berlin.`);
      if (phrase !== undefined && (from ?? add ?? until) !== undefined)
        return fail("tool_refused", "Pass phrase only with zone: resolve it first, then calculate with the candidate.");
      if (phrase !== undefined) return candidatesFor(phrase, zone, now());
      const start = from === undefined ? now() : parseTime(from, zone);
      if (start === null)
        return fail("tool_refused", `from: ${JSON.stringify(from)} is not a time. Write it as ${TIME}.`);
      const at = add ? addDuration(start, add, zone) : start;
      if (!(at >= EARLIEST && at <= LATEST))
        return fail("tool_refused", "That is too far away: years have four digits.");
      const result = { at: isoTime(at), in_words: formatTime(at, zone), difference: null };
      if (until === undefined) return result;
      const end = parseTime(until, zone);
      if (end === null)
        return fail("tool_refused", `until: ${JSON.stringify(until)} is not a time. Write it as ${TIME}.`);
      const calendar_days = localTimeIn(zone, end).day - localTimeIn(zone, at).day;
      const exact = { seconds: Math.round((end - at) / 1000), in_words: formatDuration(end - at) };
      return { ...result, difference: { ...exact, calendar_days, until: formatTime(end, zone) } };
    },
  );

async function candidatesFor(phrase: string, zone: string, now: number): Promise<Output | Failed> {
  const found = await resolvePhrase(phrase, zone, now);
  const inRange = found?.candidates.filter(({ from }) => from >= EARLIEST && from <= LATEST) ?? [];
  const [first] = inRange;
  if (!found || !first)
    return fail("tool_refused", `There is no date or time in ${JSON.stringify(phrase)}. Write it as ${TIME} in from.`);
  const candidates = inRange.map(({ from, to, precision }) => {
    const until = to === null ? null : formatTime(to, zone);
    return { at: isoTime(from), in_words: formatTime(from, zone), precision, until };
  });
  const { at, in_words } = { at: isoTime(first.from), in_words: formatTime(first.from, zone) };
  return {
    at,
    in_words,
    difference: null,
    candidates,
    understood: found.text,
    ...(found.rest && { not_read: found.rest }),
  };
}

const renderCandidate = ({ at, in_words, precision, until }: NonNullable<Output["candidates"]>[number]): string =>
  `- ${in_words}${until === null ? "" : ` to ${until}`} = ${at}${precision === "day" ? " (the whole day)" : ""}`;

function renderDifference(difference: NonNullable<Output["difference"]>): string {
  const { until, calendar_days, in_words, seconds } = difference;
  const days = `${countOf(Math.abs(calendar_days), "calendar day")}${calendar_days < 0 ? " ago" : ""}`;
  return `Until ${until}: ${days}; exactly ${in_words} (${seconds} seconds)`;
}

const countOf = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

export const time = createTimeTool("time", "context");

/** The same tool under a name that agents of another system know. It is offered only if an agent names it. */
export const timeReasoning = createTimeTool("time_reasoning", "aliases");

function formatDuration(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ] as const;
  const units = parts.filter(([count]) => count > 0).map(([count, unit]) => countOf(count, unit));
  return `${units.join(" ") || "less than a minute"}${ms < 0 ? " ago" : ""}`;
}
