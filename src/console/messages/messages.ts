// The texts of the console in the current language: the person's choice, else the browser's. A project test refuses
// visible text in any other file of the console.
import { createStore } from "../client/store.ts";
import { enCalendar } from "./en-calendar.ts";
import { enPages } from "./en-pages.ts";
import { enShell } from "./en-shell.ts";
import { enThread } from "./en-thread.ts";
import { zhCalendar } from "./zh-calendar.ts";
import { zhPages } from "./zh-pages.ts";
import { zhShell } from "./zh-shell.ts";
import { zhThread } from "./zh-thread.ts";

const en = { ...enShell, ...enThread, ...enPages, ...enCalendar };
const zh: typeof en = { ...zhShell, ...zhThread, ...zhPages, ...zhCalendar };
const CATALOGUES = { en, zh } as const;

export type Language = keyof typeof CATALOGUES;
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", zh: "简体中文" };

const STORAGE_KEY = "pawl-language";

export const languageStore = createStore<{ language: Language }>({ language: "en" });

/** The texts in the current language. Called while rendering, never kept: the language can change. */
export const t = (): typeof en => CATALOGUES[languageStore.get().language];

/** The first of the browser's languages that has a catalogue. */
export const preferredLanguage = (languages: readonly string[]): Language =>
  languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "zh") ?? "en";

/** The locale for numbers and dates. A browser set to British English keeps its own format. */
export function locale(): string {
  const { language } = languageStore.get();
  const own = globalThis.navigator?.languages?.find((tag) => tag.toLowerCase().startsWith(language));
  return own ?? (language === "zh" ? "zh-CN" : "en");
}

export function applyLanguage(chosen = localStorage.getItem(STORAGE_KEY)): void {
  const language = chosen === "en" || chosen === "zh" ? chosen : preferredLanguage(navigator.languages);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  languageStore.set({ language });
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
  applyLanguage(language);
}
