// All texts in Simplified Chinese: a file of its own in the built console, loaded only by those who read it.
import type { Texts } from "./en.ts";
import { zhCalendar } from "./zh-calendar.ts";
import { zhPages } from "./zh-pages.ts";
import { zhPanels } from "./zh-panels.ts";
import { zhShell } from "./zh-shell.ts";
import { zhThread } from "./zh-thread.ts";

export const zh: Texts = { ...zhShell, ...zhThread, ...zhPages, ...zhPanels, ...zhCalendar };
