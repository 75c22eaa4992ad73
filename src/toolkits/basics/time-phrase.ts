// Finds the possible meanings of a phrase such as "next Tuesday morning", as days and times in a zone, the most likely
// first.
import { instantOfLocal, localTimeIn, minutesOf } from "../../tools/time-zone.ts";
import type { PhraseReading } from "./phrase-reading.ts";

export type Candidate = {
  readonly from: number;
  /** The end of a range, such as a part of a day. Null for a day or a time. */
  readonly to: number | null;
  readonly precision: "day" | "range" | "time";
};

const MS_PER_MINUTE = 60_000;
const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

export type ResolvedPhrase = {
  readonly text: string;
  /** The words that were not read, which may change the meaning: "tomorrow" of "a week from tomorrow". */
  readonly rest: string;
  readonly candidates: readonly Candidate[];
};

/** Null if nothing in the phrase is a date or time. */
export async function resolvePhrase(phrase: string, zone: string, now: number): Promise<ResolvedPhrase | null> {
  const clock = { now, local: minutesOf(localTimeIn(zone, now)) * MS_PER_MINUTE };
  const chinese = HAN.test(phrase) && !KANA.test(phrase);
  // Loaded with the first phrase, so that the parser does not delay startup.
  const read = chinese
    ? (await import("./time-phrase-chinese.ts")).readChinese
    : (await import("./time-phrase-languages.ts")).readInAnyLanguage;
  const counted = withCountedDays(phrase);
  const found = read(counted, clock);
  if (!found) return null;
  const { text, readings } = found;
  return { text, rest: restOf(counted, text), candidates: readings.map((one) => toCandidate(one, zone)) };
}

/** The parser reads only "tomorrow" of "the day after tomorrow". */
const withCountedDays = (phrase: string): string =>
  phrase
    .replace(/\b(?:the )?day after tomorrow\b/i, "in 2 days")
    .replace(/\b(?:the )?day before yesterday\b/i, "2 days ago");

/** Words that stand before any date. */
const FILLER = /^(?:on|at|the|in|um|am|im|le|la|el|à|a|に|の|です|在|的)$/i;

const restOf = (phrase: string, read: string): string =>
  phrase
    .split(read)
    .map((part) => part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((part) => part !== "" && !FILLER.test(part))
    .join(" … ");

function toCandidate(reading: PhraseReading, zone: string): Candidate {
  if ("at" in reading) return { from: reading.at, to: null, precision: "time" };
  const { day, from, to } = reading;
  const instant = (minute: number) => instantOfLocal(zone, day + minute * MS_PER_MINUTE);
  if (from === undefined) return { from: instant(0), to: null, precision: "day" };
  if (to === undefined) return { from: instant(from), to: null, precision: "time" };
  return { from: instant(from), to: instant(to), precision: "range" };
}
