// The strings of the console in the current language. A project test refuses visible text in any other file.
import { createStore } from "../client/store.ts";
import { en, type Texts } from "./en.ts";

export type Language = "en" | "zh";

/** `zh` is English until the Chinese strings are loaded, which happens before the language is used. */
const catalogs: Record<Language, Texts> = { en, zh: en };

export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", zh: "简体中文" };

const STORAGE_KEY = "pawl-language";

export const languageStore = createStore<{ language: Language }>({ language: "en" });

/** Returns the strings in the current language. Never keep the result, because the language can change. */
export const t = (): Texts => catalogs[languageStore.get().language];

export async function setLanguage(language: Language): Promise<void> {
  if (language === "zh") catalogs.zh = (await import("./zh.ts")).zh;
  languageStore.set({ language });
}

/** Returns the first of the browser's languages in which the console is available. */
export const preferredLanguage = (languages: readonly string[]): Language =>
  languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "zh") ?? "en";

/** Returns the locale for numbers and dates. A browser set to British English keeps its own format. */
export function locale(): string {
  const { language } = languageStore.get();
  const own = globalThis.navigator?.languages?.find((tag) => tag.toLowerCase().startsWith(language));
  return own ?? (language === "zh" ? "zh-CN" : "en");
}

export async function applyLanguage(chosen = localStorage.getItem(STORAGE_KEY)): Promise<void> {
  const language = chosen === "en" || chosen === "zh" ? chosen : preferredLanguage(navigator.languages);
  // If the file cannot be loaded, for example after a lost connection, the page falls back to English.
  await setLanguage(language).catch(() => setLanguage("en"));
  document.documentElement.lang = languageStore.get().language === "zh" ? "zh-CN" : "en";
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  await applyLanguage(language);
}
