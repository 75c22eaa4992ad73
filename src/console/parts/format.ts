// Formats numbers, times and names for display, in the current language.
import type { SettledReceipt } from "../../schema/receipt.ts";
import { locale, t } from "../messages/messages.ts";

/** Caches formatters, because creating one takes much longer than using it. */
function createCache<F, O extends object>(create: (locale: string, options: O) => F): (options: O) => F {
  const known = new Map<string, F>();
  return (options) => {
    const key = `${locale()} ${JSON.stringify(options)}`;
    const formatter = known.get(key) ?? create(locale(), options);
    known.set(key, formatter);
    return formatter;
  };
}
const numbers = createCache((at, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(at, options));
const dates = createCache((at, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(at, options));
const ages = createCache((at, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(at, options));

export const formatNumber = (amount: number): string => numbers({}).format(amount);

const fixed = (amount: number): string =>
  numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(amount);

export const formatBytes = (size: number): string =>
  size < 1000
    ? `${formatNumber(size)} B`
    : size < 1_000_000
      ? `${fixed(size / 1000)} kB`
      : `${fixed(size / 1_000_000)} MB`;

export const formatUsd = (usd: number): string =>
  numbers({ style: "currency", currency: "USD", maximumSignificantDigits: 2 }).format(usd);

type Unit = "day" | "hour" | "minute" | "second" | "millisecond";
const UNITS: readonly (readonly [number, Unit])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

const formatUnit = (amount: number, unit: Unit, digits = 0): string =>
  numbers({
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: digits,
  }).format(amount);

export function formatDuration(ms: number): string {
  const [amount, unit] = inLargestUnit(ms);
  return formatUnit(amount, unit);
}

function inLargestUnit(ms: number): readonly [number, Unit] {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, "second" as const];
  return [Math.floor(seconds / size), unit];
}

/** Formats an interval exactly, unlike formatDuration: 90 seconds are not rounded to a minute. */
export function formatInterval(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, "second" as const];
  return formatUnit(seconds / size, unit);
}

export const formatElapsed = (ms: number): string =>
  ms < 1000 ? formatUnit(Math.max(0, Math.round(ms)), "millisecond") : formatUnit(ms / 1000, "second", 1);

export function formatAgo(at: string, now: number): string {
  const ms = now - Date.parse(at);
  if (ms < 45_000) return t().common.justNow;
  const [amount, unit] = inLargestUnit(ms);
  return ages({ style: "short" }).format(-amount, unit as "day");
}

export const formatTime = (at: string): string => dates({ timeStyle: "medium" }).format(Date.parse(at));
export const formatDateTime = (at: string): string =>
  dates({ dateStyle: "short", timeStyle: "medium" }).format(Date.parse(at));

/** Formats a calendar day, which has no time zone. */
export const formatDate = (day: number, options: Intl.DateTimeFormatOptions): string =>
  dates({ ...options, timeZone: "UTC" }).format(day);

export function successLabel({ success, rejected }: Pick<SettledReceipt, "success" | "rejected">): string {
  if (success === null) return t().results.unknown;
  if (rejected) return t().results.rejected;
  return success ? t().results.succeeded : t().results.failed;
}

export const humanize = (name: string): string => name.replaceAll("_", " ");

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
