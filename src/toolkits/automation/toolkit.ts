// Defines the automation toolkit: schedules, and webhooks that an administrator has named.
import { defineToolkit } from "../../tools/toolkit.ts";
import { remoteTrigger } from "./remote-trigger.ts";
import { listSchedules, scheduleCron } from "./schedule-cron.ts";

export const automation = defineToolkit({
  name: "automation",
  parts: ["schedules", "triggers"],
  offered: "on request",
  tools: ({ schedules, triggers, clock }) => [
    scheduleCron(schedules),
    listSchedules(schedules),
    remoteTrigger(triggers, clock),
  ],
});
