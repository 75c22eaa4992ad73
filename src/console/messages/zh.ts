// Combines all Simplified Chinese strings. The built console loads them from a separate file, and only if they are
// needed.
import type { Texts } from "./en.ts";
import { zhCalendar } from "./zh-calendar.ts";
import { zhPages } from "./zh-pages.ts";
import { zhPanels } from "./zh-panels.ts";
import { zhShell } from "./zh-shell.ts";
import { zhThread } from "./zh-thread.ts";

export const zh: Texts = { ...zhShell, ...zhThread, ...zhPages, ...zhPanels, ...zhCalendar };
