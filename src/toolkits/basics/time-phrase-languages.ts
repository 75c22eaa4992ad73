// Reads phrases in English, German, French, Spanish and Japanese with chrono-node. Local times are counted as if the
// clock showed UTC.
import type * as chrono from "chrono-node";
import * as de from "chrono-node/de";
import * as en from "chrono-node/en";
import * as es from "chrono-node/es";
import * as fr from "chrono-node/fr";
import * as ja from "chrono-node/ja";
import type { PhraseReading, ReadPhrase, TimeOfDay } from "./phrase-reading.ts";

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** Each language adds about 10 KB to a bundle. If several languages read equally much of the text, the first one wins. */
const LANGUAGES = [en, de, fr, es, ja];
/** Parts of the day by the tag of a result, each with the hours at which it begins and ends. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  "casualReference/morning": [6, 12],
  "casualReference/afternoon": [12, 18],
  "casualReference/evening": [18, 22],
  "casualReference/tonight": [18, 24],
  "casualReference/night": [20, 24],
};

/** The parser would move a weekday in the past to the next week. */
const PAST =
  /\b(?:(?:last|past|previous) (?:mon|tue|wed|thu|fri|sat|sun)|(?:letzte[nrs]?|vergangene[nrs]?) |\w+di dernier|(?:pasado|先週))/i;
/** Dates with dots have the day first in every language. */
const DAY_FIRST = /\b\d{1,2}\.\d{1,2}\./;

export const readInAnyLanguage: ReadPhrase = (text, { now, local }) => {
  const reference = { instant: new Date(now), timezone: Math.round((local - now) / MS_PER_MINUTE) };
  const options = { forwardDate: !PAST.test(text) };
  const found = LANGUAGES.flatMap((language) => {
    const parser = language === en && DAY_FIRST.test(text) ? en.GB : language;
    const [result] = parser.parse(text, reference, options).sort((a, b) => b.text.length - a.text.length);
    return result ? [{ language, result }] : [];
  });
  const longest = Math.max(...found.map(({ result }) => result.text.length));
  const best = found.find(({ result }) => result.text.length === longest);
  if (!best) return null;
  const { start, text: read } = best.result;
  const today = Math.floor(local / MS_PER_DAY) * MS_PER_DAY;
  if (start.isCertain("timezoneOffset")) return { text: read, readings: [{ at: start.date().getTime() }] };
  const times = timesOf(best.result, best.language === en && !/\d{2}:\d{2}/.test(read));
  const readings = daysOf(start, today).flatMap((day) => times.map((time): PhraseReading => ({ day, ...time })));
  return { text: read, readings };
};

const dayOf = (one: chrono.ParsedComponents): number =>
  Date.UTC(one.get("year") ?? 0, (one.get("month") ?? 1) - 1, one.get("day") ?? 1);
const minuteOf = (one: chrono.ParsedComponents): number => (one.get("hour") ?? 0) * 60 + (one.get("minute") ?? 0);

/** Two days for an ambiguous weekday. On a Monday, "next Tuesday" may be tomorrow, and "Monday" may be today. */
function daysOf(start: chrono.ParsedComponents, today: number): readonly number[] {
  const day = dayOf(start);
  if (!start.isCertain("weekday") || start.isCertain("day")) return [day];
  const week = 7 * MS_PER_DAY;
  if (day - week >= today) return [day, day - week];
  return day === today ? [day, day + week] : [day];
}

/** Two times if "at 3" may be at night or in the afternoon, as on a twelve-hour clock. */
function timesOf(result: chrono.ParsedResult, twelveHours: boolean): readonly TimeOfDay[] {
  const { start, end } = result;
  const hour = start.get("hour") ?? 0;
  const from = start.isCertain("hour") ? minuteOf(start) : 0;
  if (end) {
    const days = (dayOf(end) - dayOf(start)) / MS_PER_MINUTE;
    return [{ from, to: days + (end.isCertain("hour") ? minuteOf(end) : MS_PER_DAY / MS_PER_MINUTE) }];
  }
  if (start.isCertain("hour")) {
    const either = twelveHours && !start.isCertain("meridiem") && hour >= 1 && hour < 12;
    return [{ from }, ...(either ? [{ from: from + 12 * 60 }] : [])];
  }
  const part = [...result.tags()].map((tag) => PARTS[tag]).find((one) => one !== undefined);
  return [part ? { from: part[0] * 60, to: part[1] * 60 } : {}];
}
