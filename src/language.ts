// Selects the language of terminal output: Simplified Chinese if the environment requests Chinese, otherwise English.
export type Language = "en" | "zh";

/** Returns the language. As in other programs, the first variable that is set decides: LC_ALL, LC_MESSAGES, LANG. */
export const terminalLanguage = (env: Readonly<Record<string, string | undefined>>): Language =>
  /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || "") ? "zh" : "en";
