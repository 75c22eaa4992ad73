// Replaces the SQLite file of the stories with another store, which a test selects before it loads them.
import { basename } from "node:path";
import type { DocumentStore } from "../../src/ports/documents.ts";
import type { CalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTimetable } from "./calendars.ts";

export type StoryStore = {
  readonly parts: Pick<Runtime, "store" | "settings">;
  readonly documents: DocumentStore;
};

type StoryBackend = {
  readonly parts: Pick<Runtime, "store" | "settings" | "companions">;
  readonly tools: readonly Tool[];
  readonly calendars: CalendarStore;
};

let openStore: ((name: string) => Promise<StoryStore>) | null = null;

/** Sets the store. `open` gets a name that instances of the same story share. */
export function setStoryStore(open: (name: string) => Promise<StoryStore>): void {
  openStore = open;
}

/** Opens the store, or returns null if the story uses the file, which is the default. */
export async function openStoryBackend(folder: string): Promise<StoryBackend | null> {
  if (openStore === null) return null;
  const { parts, documents } = await openStore(basename(folder));
  const { tools, companions, calendars } = createTimetable(documents);
  return { parts: { ...parts, companions }, tools, calendars };
}
