// Labels for schedules and deliveries. No rendering.
import type { ScheduleView } from "../../client/jobs.ts";
import type { DeliveryLogEntry } from "../../schema/jobs/webhook.ts";
import { formatDateTime, formatDuration, humanize } from "../parts/format.ts";
import type { StatusLabel } from "../parts/state-labels.ts";

export function formatScheduleTime(when: ScheduleView["when"]): string {
  switch (when.kind) {
    case "cron":
      return `${when.expression} (${when.time_zone})`;
    case "interval":
      return `every ${formatInterval(when.every_s)}`;
    case "once":
      return `once, ${formatDateTime(when.at)}`;
  }
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** Exact, unlike formatDuration: 90 seconds is not rounded to a minute. */
function formatInterval(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds % size === 0);
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} s`;
}

export function scheduleStatus({ enabled, next_at }: Pick<ScheduleView, "enabled" | "next_at">): StatusLabel {
  if (!enabled) return { label: "Paused", tone: "wait" };
  return next_at === null ? { label: "Finished", tone: "plain" } : { label: "Active", tone: "good" };
}

export const formatNextRun = (next_at: string, now: number): string => {
  const left = Date.parse(next_at) - now;
  return left > 0 ? `in ${formatDuration(left)}, ${formatDateTime(next_at)} local time` : "due now";
};

/** The outcome of the last due time: "started", "skipped", or a problem code. */
export const lastRunLabel = (outcome: string): string =>
  ({ started: "started", skipped: "skipped: no worker was available in time" })[outcome] ?? humanize(outcome);
export const isProblem = (outcome: string): boolean => outcome !== "started" && outcome !== "skipped";

const DELIVERY_STATUSES: Readonly<Record<DeliveryLogEntry["status"], StatusLabel>> = {
  delivered: { label: "Delivered", tone: "good" },
  retrying: { label: "Retrying", tone: "wait" },
  dead: { label: "Dead letter", tone: "bad" },
};
export const deliveryStatus = (entry: DeliveryLogEntry): StatusLabel => DELIVERY_STATUSES[entry.status];
