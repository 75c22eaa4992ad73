// Defines the calendar toolkit: calendars of a tenant with real times, which any number of threads share.
import { ok } from "../../schema/problem.ts";
import { defineToolkit, type PartsWith } from "../../tools/toolkit.ts";
import { changeRoute } from "./change-preview.ts";
import { calendarRoutes } from "./routes.ts";
import { createSample } from "./sample.ts";
import type { Sources } from "./sources/pull.ts";
import { sourceRoutes } from "./sources/routes.ts";
import { createCalendarStore, INDEX } from "./store/calendar-store.ts";
import { setReminder } from "./tools/set-reminder.ts";
import { calendarTools } from "./tools/tools.ts";

const sourcesOf = ({ documents, dav, fetch }: PartsWith<"documents">): Sources => ({
  store: createCalendarStore(documents),
  dav,
  fetch,
});

export const calendar = defineToolkit({
  name: "calendar",
  parts: ["documents"],
  offered: "on request",
  tools: (parts) => {
    const sources = sourcesOf(parts);
    return [...calendarTools(sources), ...(parts.schedules ? [setReminder(sources, parts.schedules)] : [])];
  },
  routes: (parts) => {
    const sources = sourcesOf(parts);
    return [...calendarRoutes(sources.store), ...sourceRoutes(sources), changeRoute(sources)];
  },
  threads: {
    created_for: "calendar",
    async created(parts, tenant, { calendar }) {
      if (calendar === undefined) return ok(undefined);
      const found = await sourcesOf(parts).store.open({ tenant, calendar });
      return found.ok ? ok(undefined) : found;
    },
  },
  sample: (parts, target) => createSample(sourcesOf(parts).store, target),
  sample_document: INDEX,
});
