// Calendar: calendars of a tenant with real times, which any number of threads share.
import { defineToolkit } from "../../tools/toolkit.ts";
import { calendarRoutes } from "./routes.ts";
import { createCalendarStore } from "./store/calendar-store.ts";

export const calendar = defineToolkit({
  name: "calendar",
  parts: ["documents"],
  offered: "on request",
  tools: () => [],
  routes: ({ documents }) => calendarRoutes(createCalendarStore(documents)),
});
