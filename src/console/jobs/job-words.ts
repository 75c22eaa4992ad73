// Schedules and deliveries in words. Draws nothing.
import type { ScheduleView } from "../../client/jobs.ts";
import type { DeliveryLine } from "../../schema/jobs/webhook.ts";
import type { StateWords } from "../parts/state-words.ts";
import { spaced, span, whole } from "../parts/words.ts";

export function whenWords(when: ScheduleView["when"]): string {
  switch (when.kind) {
    case "cron":
      return `${when.expression} (${when.time_zone})`;
    case "interval":
      return `every ${lengthWords(when.every_s)}`;
    case "once":
      return `once, ${whole(when.at)}`;
  }
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** Exact, other than a span that passes: 90 seconds are not a minute. */
function lengthWords(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds % size === 0);
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} s`;
}

export function scheduleWords({ enabled, next_at }: Pick<ScheduleView, "enabled" | "next_at">): StateWords {
  if (!enabled) return { label: "Paused", tone: "wait" };
  return next_at === null ? { label: "Over", tone: "plain" } : { label: "On", tone: "good" };
}

export const nextWords = (next_at: string, now: number): string => {
  const left = Date.parse(next_at) - now;
  return left > 0 ? `in ${span(left)}, ${whole(next_at)} your time` : "due now";
};

/** What became of the newest due time: "started", "skipped", or the code of a problem. */
export const lastWords = (outcome: string): string =>
  ({ started: "started", skipped: "skipped: nobody was there in time" })[outcome] ?? spaced(outcome);
export const isProblem = (outcome: string): boolean => outcome !== "started" && outcome !== "skipped";

const DELIVERIES: Readonly<Record<DeliveryLine["status"], StateWords>> = {
  delivered: { label: "Delivered", tone: "good" },
  retrying: { label: "Trying again", tone: "wait" },
  dead: { label: "Dead letter", tone: "bad" },
};
export const deliveryWords = (line: DeliveryLine): StateWords => DELIVERIES[line.status];
