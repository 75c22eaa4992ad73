// Splits iCalendar text into components without interpreting them, so that unchanged components are written back
// exactly as they were.
import { fail, ok, type Result } from "../../../schema/problem.ts";

/** The lines of a component from BEGIN to END, each with its line break. */
export type RawComponent = { readonly name: string; readonly text: string };
export type SplitCalendar = {
  /** The property lines of the calendar itself, with line breaks. */
  readonly properties: readonly string[];
  readonly components: readonly RawComponent[];
};

const LINE_BREAK = /\r\n|\n|\r/;
const BOUNDARY = /^(BEGIN|END):([A-Za-z0-9-]+)\s*$/i;
const DEPTH_MAX = 8;

type Open = { properties: string[]; components: RawComponent[] };

/**
 * Splits every VCALENDAR of the text. Line breaks become CRLF, empty lines are dropped, and a continuation line without
 * a leading space gets one. Everything else is unchanged.
 */
export function splitCalendars(text: string): Result<readonly SplitCalendar[]> {
  const found: SplitCalendar[] = [];
  const path: string[] = [];
  let open: Open | null = null;
  let lines: string[] = [];
  for (const line of contentLines(text)) {
    const [, edge, given = ""] = BOUNDARY.exec(line) ?? [];
    const name = given.toUpperCase();
    if (edge?.toUpperCase() === "BEGIN") {
      if (path.length === 0 && name !== "VCALENDAR") return invalid(`BEGIN:${name} is outside a VCALENDAR`);
      if (path.length >= DEPTH_MAX) return invalid("components are nested too deeply");
      path.push(name);
      if (path.length === 1) open = { properties: [], components: [] };
      else lines.push(line);
      continue;
    }
    if (edge !== undefined) {
      if (path.pop() !== name) return invalid(`END:${name} does not match its BEGIN`);
      if (path.length === 0 && open) found.push(open);
      if (path.length > 0) lines.push(line);
      if (path.length === 1) {
        open?.components.push({ name, text: joinLines(lines) });
        lines = [];
      }
      continue;
    }
    if (path.length === 1) open?.properties.push(joinLines([line]));
    else if (path.length > 1) lines.push(line);
    else if (line.trim() !== "") return invalid("text is outside a VCALENDAR");
  }
  if (path.length > 0) return invalid(`END:${path.at(-1)} is missing`);
  return found.length > 0 ? ok(found) : invalid("there is no VCALENDAR in it");
}

/** Puts each property of a component on its own line. */
export const unfold = (text: string): string => text.replace(/\r\n[ \t]/g, "");

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("");

/** Some programs fold without the leading space, so a line that is not a property is a continuation, too. */
function contentLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(LINE_BREAK)) {
    const continues = /^[ \t]/.test(line) || !/^[\w-]+(?:[;:]|\s*$)/.test(line);
    if (line === "") continue;
    if (continues && lines.length > 0) lines[lines.length - 1] += `\r\n${/^[ \t]/.test(line) ? line : ` ${line}`}`;
    else lines.push(line);
  }
  return lines;
}

const invalid = (why: string) => fail("calendar_invalid", `The text could not be read as iCalendar: ${why}.`);
