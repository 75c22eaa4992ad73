// Computes when a schedule is due next. Pure: the caller passes in the current time.
import { seededRandom } from "../../ports/backoff.ts";
import { isoTime } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Schedule, ScheduleWhen } from "../../schema/jobs/schedule.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { isTimeZone } from "../../tools/time-zone.ts";
import { nextCronDue, wallCron } from "./cron-due.ts";

/** The first due time after `after`, in milliseconds, or null. Follows the daylight saving time of the zone. */
export function nextDue(when: ScheduleWhen, after: number, created: number): number | null {
  switch (when.kind) {
    case "once": {
      const at = Date.parse(when.at);
      return at > after ? at : null;
    }
    case "interval": {
      // A creation time after the present one comes from a clock that was ahead. A time set by a caller stays.
      const from = when.from ? Date.parse(when.from) : Math.min(created, after);
      const every = when.every_s * 1000;
      return from > after ? from : from + (Math.floor((after - from) / every) + 1) * every;
    }
    case "cron":
      return nextCronDue(when, after);
  }
}

/** Checks the expression and the time zone before they are stored. */
export function validateWhen(when: ScheduleWhen): Result<ScheduleWhen> {
  if (when.kind !== "cron") return ok(when);
  if (!isTimeZone(when.time_zone)) {
    const named = JSON.stringify(when.time_zone);
    return fail("request_invalid", `when.time_zone: ${named} is not a time zone; for example Europe/Berlin.`, {
      field: "when.time_zone",
    });
  }
  try {
    if (isTooFrequent(when))
      return fail("request_invalid", "when.expression: due more often than every ten seconds.", {
        field: "when.expression",
      });
    return ok(when);
  } catch (error) {
    return fail("request_invalid", `when.expression: ${cronMessage(error)}`, { field: "when.expression" });
  }
}

/** The parser counts days and months from 0 in its messages. */
const cronMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^CronPattern: /, "")
    .replace(/(Invalid value for (?:day|month): )(-?\d+)/, (_, text, value) => `${text}${Number(value) + 1}`);

/** The same minimum as for intervals, because every due time starts a run that costs money. */
const INTERVAL_MS_MIN = 10_000;
const RUNS_PER_MINUTE_MAX = 60;

/** Only an expression with seconds can be due too often. All minutes that it matches are alike, so one minute is checked. */
function isTooFrequent(when: Extract<ScheduleWhen, { kind: "cron" }>): boolean {
  const cron = wallCron(when.expression);
  if (when.expression.trim().split(/\s+/).length < 6) return false;
  const runs = cron.nextRuns(RUNS_PER_MINUTE_MAX + 1, new Date(0)).map((run) => run.getTime());
  return runs.some((run, n) => n > 0 && run - (runs[n - 1] ?? 0) < INTERVAL_MS_MIN);
}

export function nextAt(
  schedule: Pick<Schedule, "when" | "ends_at" | "enabled" | "created_at">,
  after: number,
): string | null {
  if (!schedule.enabled) return null;
  const due = nextDue(schedule.when, after, Date.parse(schedule.created_at));
  if (due === null || (schedule.ends_at !== null && due > Date.parse(schedule.ends_at))) return null;
  return isoTime(due);
}

/** The same due time always gets the same delay, so that two processes agree on it. */
export function withJitter(hash: Hash, schedule: Pick<Schedule, "id" | "jitter_s">, due_at: string): number {
  const span = schedule.jitter_s * 1000;
  if (span === 0) return Date.parse(due_at);
  return Date.parse(due_at) + Math.floor(seededRandom(hash, `${schedule.id} ${due_at}`) * span);
}
