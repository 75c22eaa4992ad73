// Returns labels for schedules and deliveries, without rendering.
import type { ScheduleView } from "../../client/jobs.ts";
import type { DeliveryLogEntry } from "../../schema/jobs/webhook.ts";
import { t } from "../messages/messages.ts";
import { formatDateTime, formatDuration, formatInterval } from "../parts/format.ts";
import { problemTitle } from "../parts/problem-card.tsx";
import type { StatusLabel } from "../parts/state-labels.ts";

export function formatScheduleTime(when: ScheduleView["when"]): string {
  switch (when.kind) {
    case "cron":
      return t().schedules.cron(when.expression, when.time_zone);
    case "interval":
      return t().schedules.every(formatInterval(when.every_s));
    case "once":
      return t().schedules.once(formatDateTime(when.at));
  }
}

export function scheduleStatus({ enabled, next_at }: Pick<ScheduleView, "enabled" | "next_at">): StatusLabel {
  if (!enabled) return { label: t().schedules.paused, tone: "wait" };
  return next_at === null
    ? { label: t().schedules.finished, tone: "plain" }
    : { label: t().schedules.active, tone: "good" };
}

export const formatNextRun = (next_at: string, now: number): string => {
  const left = Date.parse(next_at) - now;
  return left > 0 ? t().schedules.inTime(formatDuration(left), formatDateTime(next_at)) : t().schedules.dueNow;
};

/** Returns the label for the outcome of the last due time: "started", "skipped", or a problem code. */
export const lastRunLabel = (outcome: string): string =>
  outcome === "started" || outcome === "skipped" ? t().schedules[outcome] : problemTitle(outcome);
export const isProblem = (outcome: string): boolean => outcome !== "started" && outcome !== "skipped";

const DELIVERY_TONES = { delivered: "good", retrying: "wait", dead: "bad" } as const;
export const deliveryStatus = ({ status }: DeliveryLogEntry): StatusLabel => ({
  label: t().webhooks.statuses[status],
  tone: DELIVERY_TONES[status],
});
