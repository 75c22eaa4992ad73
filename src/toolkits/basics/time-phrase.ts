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

/** Null if nothing in the phrase is a date or time. */
export async function resolvePhrase(
  phrase: string,
  zone: string,
  now: number,
): Promise<{ readonly text: string; readonly candidates: readonly Candidate[] } | null> {
  const clock = { now, local: minutesOf(localTimeIn(zone, now)) * MS_PER_MINUTE };
  const chinese = HAN.test(phrase) && !KANA.test(phrase);
  // Loaded with the first phrase, so that the parser does not delay startup.
  const read = chinese
    ? (await import("./time-phrase-chinese.ts")).readChinese
    : (await import("./time-phrase-languages.ts")).readInAnyLanguage;
  const found = read(phrase, clock);
  return found && { text: found.text, candidates: found.readings.map((one) => toCandidate(one, zone)) };
}

function toCandidate(reading: PhraseReading, zone: string): Candidate {
  if ("at" in reading) return { from: reading.at, to: null, precision: "time" };
  const { day, from, to } = reading;
  const instant = (minute: number) => instantOfLocal(zone, day + minute * MS_PER_MINUTE);
  if (from === undefined) return { from: instant(0), to: null, precision: "day" };
  if (to === undefined) return { from: instant(from), to: null, precision: "time" };
  return { from: instant(from), to: instant(to), precision: "range" };
}
