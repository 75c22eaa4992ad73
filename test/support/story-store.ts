// Runs the stories on another store than the file: the one that a test sets before loading them.
import { basename } from "node:path";
import { createScheduling } from "../../src/hosts/shared/create-scheduling.ts";
import type { CalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";

export type StoryStore = {
  readonly parts: Pick<Runtime, "store" | "settings">;
  readonly calendars: CalendarStore;
};

type StoryBackend = {
  readonly parts: Pick<Runtime, "store" | "settings" | "companions">;
  readonly tools: readonly Tool[];
  readonly calendars: CalendarStore;
};

let openStore: ((name: string) => Promise<StoryStore>) | null = null;

/** `open` gets a name that instances of the same story share. */
export function setStoryStore(open: (name: string) => Promise<StoryStore>): void {
  openStore = open;
}

/** Null: the default file. */
export async function openStoryBackend(folder: string): Promise<StoryBackend | null> {
  if (openStore === null) return null;
  const { parts, calendars } = await openStore(basename(folder));
  const { tools, companions } = createScheduling(calendars);
  return { parts: { ...parts, companions }, tools, calendars };
}
