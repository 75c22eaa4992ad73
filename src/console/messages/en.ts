// Combines all English strings, each of which must exist in every other language.
import { enCalendar } from "./en-calendar.ts";
import { enPages } from "./en-pages.ts";
import { enPanels } from "./en-panels.ts";
import { enShell } from "./en-shell.ts";
import { enThread } from "./en-thread.ts";

export const en = { ...enShell, ...enThread, ...enPages, ...enPanels, ...enCalendar };
export type Texts = typeof en;
