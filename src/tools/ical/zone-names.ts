// Maps the time zone names that calendar programs write to IANA names: common Windows names, and names with a path prefix.
import { isTimeZone } from "../time-zone.ts";

export const WINDOWS_ZONES: Readonly<Record<string, string>> = {
  "hawaiian standard time": "Pacific/Honolulu",
  "alaskan standard time": "America/Anchorage",
  "pacific standard time": "America/Los_Angeles",
  "us mountain standard time": "America/Phoenix",
  "mountain standard time": "America/Denver",
  "central standard time": "America/Chicago",
  "eastern standard time": "America/New_York",
  "atlantic standard time": "America/Halifax",
  "e. south america standard time": "America/Sao_Paulo",
  "argentina standard time": "America/Argentina/Buenos_Aires",
  "greenwich standard time": "Atlantic/Reykjavik",
  "gmt standard time": "Europe/London",
  "w. europe standard time": "Europe/Berlin",
  "central europe standard time": "Europe/Budapest",
  "romance standard time": "Europe/Paris",
  "central european standard time": "Europe/Warsaw",
  "gtb standard time": "Europe/Bucharest",
  "fle standard time": "Europe/Kiev",
  "e. europe standard time": "Europe/Chisinau",
  "turkey standard time": "Europe/Istanbul",
  "israel standard time": "Asia/Jerusalem",
  "egypt standard time": "Africa/Cairo",
  "south africa standard time": "Africa/Johannesburg",
  "russian standard time": "Europe/Moscow",
  "arabian standard time": "Asia/Dubai",
  "arab standard time": "Asia/Riyadh",
  "pakistan standard time": "Asia/Karachi",
  "india standard time": "Asia/Kolkata",
  "se asia standard time": "Asia/Bangkok",
  "china standard time": "Asia/Shanghai",
  "singapore standard time": "Asia/Singapore",
  "taipei standard time": "Asia/Taipei",
  "tokyo standard time": "Asia/Tokyo",
  "korea standard time": "Asia/Seoul",
  "aus eastern standard time": "Australia/Sydney",
  "e. australia standard time": "Australia/Brisbane",
  "w. australia standard time": "Australia/Perth",
  "new zealand standard time": "Pacific/Auckland",
};

/** Null for an unknown name. `/some.program/Europe/Berlin` ends with the IANA name. */
export function toIanaZone(name: string): string | null {
  const text = name.trim();
  if (isTimeZone(text)) return text;
  const ends = [3, 2].map((count) => text.split("/").slice(-count).join("/"));
  return ends.find((end) => end !== text && isTimeZone(end)) ?? WINDOWS_ZONES[text.toLowerCase()] ?? null;
}
