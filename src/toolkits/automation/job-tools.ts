// The tools around schedules and webhooks together. They come with a host that works on such things.
import type { Clock } from "../../ports/clock.ts";
import type { Schedules } from "../../ports/schedules.ts";
import type { Triggers } from "../../ports/triggers.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { fail } from "../../schema/problem.ts";
import type { Tool } from "../../tools/define-tool.ts";
import { remoteTrigger } from "./remote-trigger.ts";
import { listSchedules, scheduleCron } from "./schedule-cron.ts";

export type JobParts = { readonly schedules: Schedules; readonly triggers: Triggers; readonly clock: Clock };

export const jobTools = ({ schedules, triggers, clock }: JobParts): readonly Tool[] => [
  scheduleCron(schedules),
  listSchedules(schedules),
  remoteTrigger(triggers, clock),
];

const notSupported = async () => fail("not_supported_here", "There are only manifests here.");

/** For whoever only wants to know what there is. */
export const jobManifests = (): readonly Manifest[] =>
  jobTools({
    schedules: { create: notSupported, list: notSupported, remove: notSupported },
    triggers: { targets: notSupported, send: notSupported },
    clock: { now: () => 0, sleep: async () => undefined },
  }).map((tool) => tool.manifest);
