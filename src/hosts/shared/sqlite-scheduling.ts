// The scheduling demo of a host: its tools, on calendars in the data file. Each thread has a calendar of its own.
import { createSqliteCalendarStore } from "../../adapters/calendar-sqlite.ts";
import { createScheduling, type Scheduling } from "./create-scheduling.ts";

// A worker has no SQLite of its own to load, so what needs none lives apart.
export { calendarCompanions, createScheduling as schedulingOn } from "./create-scheduling.ts";

export const createSqliteScheduling = (file: string): Scheduling => createScheduling(createSqliteCalendarStore(file));
