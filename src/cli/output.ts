// Prints to the terminal: colors, escaped control characters, results as text or JSON, and problems with a hint.
import { styleText } from "node:util";
import type { Problem, Result } from "../schema/problem.ts";
import { t } from "./messages/messages.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

export const write = (text: string): void => void process.stdout.write(text);
export const printLine = (text = ""): void => write(`${text}\n`);
export const printJson = (value: unknown): void => printLine(jsonText(value, 2));
export const printError = (text: string): void => void process.stderr.write(`${text}\n`);

/** Styles text if standard output is a terminal and NO_COLOR is not set. */
export const colorize = (style: Style, text: string): string =>
  process.env.NO_COLOR ? text : styleText(style, text, { stream: process.stdout });

/** Otherwise text of models and tools could move the cursor, change colors, or reverse the text of an approval. */
export const escapeControl = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `\\u{${char.codePointAt(0)?.toString(16) ?? ""}}`,
  );

/** Escapes every character that a terminal would interpret or not show. */
export const jsonText = (value: unknown, spaces = 0): string =>
  JSON.stringify(value, null, spaces).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === "\n" ? char : char.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

/** Shortens text to one line of a list. */
export const terminalLine = (text: string, max = 80): string => {
  const line = escapeControl(text).replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};

export const indent = (text: string, prefix = "  "): string =>
  text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");

/** Hints for users of the terminal, because the server's own hints refer to HTTP requests. */
const hintOf = (code: string): string | null =>
  code === "unauthorized" ? t().keyHint : code === "thread_not_found" ? t().threadHint : null;

export function printProblem({ code, message, hint }: Pick<Problem, "code" | "message" | "hint">): void {
  printError(`${code}: ${escapeControl(message)}`);
  printError(`  ${escapeControl(hintOf(code) ?? hint)}`);
}

export const EXIT_OK = 0;
export const EXIT_PROBLEM = 1;
export const EXIT_USAGE = 2;
export type ExitCode = typeof EXIT_OK | typeof EXIT_PROBLEM | typeof EXIT_USAGE;

export type JsonOption = { readonly json?: boolean };

export function reportProblem(problem: Problem): ExitCode {
  printProblem(problem);
  return EXIT_PROBLEM;
}

export function reportError(text: string): ExitCode {
  printError(text);
  return EXIT_PROBLEM;
}

export function printResult<T>(result: Result<T>, { json }: JsonOption, print: (value: T) => void): ExitCode {
  if (!result.ok) return reportProblem(result.problem);
  if (json) printJson(result.value);
  else print(result.value);
  return EXIT_OK;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
