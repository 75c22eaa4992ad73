// Calendar: calendars of a tenant with real times, which any number of threads share.
import { defineToolkit } from "../../tools/toolkit.ts";
import { calendarRoutes } from "./routes.ts";
import { createCalendarStore } from "./store/calendar-store.ts";
import { calendarTools } from "./tools/tools.ts";

export const calendar = defineToolkit({
  name: "calendar",
  parts: ["documents"],
  offered: "on request",
  tools: ({ documents }) => calendarTools(createCalendarStore(documents)),
  routes: ({ documents }) => calendarRoutes(createCalendarStore(documents)),
});
