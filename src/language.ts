// The language of what is printed in a terminal: Simplified Chinese where the environment asks for Chinese, else English.
export type Language = "en" | "zh";

/** The first variable that is set decides, as for other programs: LC_ALL, LC_MESSAGES, LANG. */
export const terminalLanguage = (env: Readonly<Record<string, string | undefined>>): Language =>
  /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || "") ? "zh" : "en";
