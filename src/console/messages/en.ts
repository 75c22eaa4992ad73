// All texts in English, which every other language has too.
import { enCalendar } from "./en-calendar.ts";
import { enPages } from "./en-pages.ts";
import { enPanels } from "./en-panels.ts";
import { enShell } from "./en-shell.ts";
import { enThread } from "./en-thread.ts";

export const en = { ...enShell, ...enThread, ...enPages, ...enPanels, ...enCalendar };
export type Texts = typeof en;
