// What is written and how: colours only for people, control characters never, problems with what to do.
import { styleText } from "node:util";
import type { Problem } from "../schema/problem.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

export const write = (text: string): void => void process.stdout.write(text);
export const printLine = (text = ""): void => write(`${text}\n`);
export const printJson = (value: unknown): void => printLine(JSON.stringify(value, null, 2));
export const printError = (text: string): void => void process.stderr.write(`${text}\n`);

/** Plain where nobody looks: not a terminal, or NO_COLOR is set. */
export const colorize = (style: Style, text: string): string =>
  process.env.NO_COLOR ? text : styleText(style, text, { stream: process.stdout });

/** Words of models and tools must not move the cursor, recolour an approval or turn it around: they are written out. */
export const escapeControl = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `\\u{${char.codePointAt(0)?.toString(16) ?? ""}}`,
  );

/** On one line of a list. */
export const oneLine = (text: string, max = 80): string => {
  const line = escapeControl(text).replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};

export const indent = (text: string, prefix = "  "): string =>
  text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");

/** What to do at a terminal, where the server's own words speak of requests. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["unauthorized", "Put a key of that server into PAWL_KEY."],
  ["thread_not_found", "`pawl threads` lists the threads there are. Another server or folder has others: see --url."],
]);

export function printProblem({ code, message, hint }: Pick<Problem, "code" | "message" | "hint">): void {
  printError(`${code}: ${escapeControl(message)}`);
  printError(`  ${escapeControl(HINTS.get(code) ?? hint)}`);
}

/** How a command ends. */
export const EXIT_OK = 0;
export const EXIT_PROBLEM = 1;
export const EXIT_USAGE = 2;
export type ExitCode = typeof EXIT_OK | typeof EXIT_PROBLEM | typeof EXIT_USAGE;
