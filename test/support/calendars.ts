// Provides the timetable toolkit in memory or in a file, for tests that use its tools and read what they wrote.
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createSqliteDocuments } from "../../src/adapters/store-sqlite/documents.ts";
import type { Route } from "../../src/http/app.ts";
import { toolkitRoutes } from "../../src/http/toolkit-route.ts";
import type { Companions } from "../../src/ports/companions.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import { type CalendarStore, createCalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import { timetable } from "../../src/toolkits/timetable/toolkit.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { createMemoryDocuments } from "./documents-memory.ts";

export const createMemoryCalendarStore = (): CalendarStore => createCalendarStore(createMemoryDocuments());
export const createSqliteCalendarStore = (path: string): CalendarStore =>
  createCalendarStore(createSqliteDocuments(path));

export type TestTimetable = {
  readonly calendars: CalendarStore;
  readonly tools: readonly Tool[];
  readonly companions: Companions;
  readonly routes: readonly Route[];
};

/**
 * Plugs in the toolkit as a host does, except that its tools are registered separately, so that every agent sees them.
 */
export function createTimetable(documents: DocumentStore = createMemoryDocuments()): TestTimetable {
  const parts = { clock: systemClock, documents };
  const plugged = plugToolkits(createToolbox([]), [timetable], parts);
  if (!plugged.ok) throw new Error(plugged.problem.message);
  const { companions, routes } = plugged.value;
  return {
    calendars: createCalendarStore(documents),
    tools: timetable.tools(parts as Parameters<typeof timetable.tools>[0]),
    companions,
    routes: toolkitRoutes(routes),
  };
}
