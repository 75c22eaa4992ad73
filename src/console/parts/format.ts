// Formats numbers, times and kinds for display.
import type { Needs } from "../../schema/plan.ts";
import type { ReceiptSource } from "../../schema/receipt.ts";

const number = new Intl.NumberFormat("en");
export const pluralize = (amount: number, noun: string, nouns = `${noun}s`): string =>
  `${number.format(amount)} ${amount === 1 ? noun : nouns}`;
export const formatNumber = (amount: number): string => number.format(amount);

export const formatBytes = (size: number): string =>
  size < 1000
    ? `${size} B`
    : size < 1_000_000
      ? `${(size / 1000).toFixed(1)} kB`
      : `${(size / 1_000_000).toFixed(1)} MB`;

export const formatUsd = (usd: number): string => (usd === 0 ? "$0" : `$${usd.toPrecision(2)}`);

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

/** "3 min": the largest unit that fits. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

export const formatElapsed = (ms: number): string =>
  ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;

export const formatAgo = (at: string, now: number): string => {
  const ms = now - Date.parse(at);
  return ms < 45_000 ? "just now" : `${formatDuration(ms)} ago`;
};

export const formatTime = (at: string): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const formatDateTime = (at: string): string => new Date(at).toLocaleString("en-GB");

export const NEEDS_LABELS: Readonly<Record<Needs, string>> = {
  write: "a successful write",
  observation: "an observation",
  reply: "your reply",
  any: "any receipt for this step",
  none: "nothing",
};

export const SOURCE_LABELS: Readonly<Record<ReceiptSource, string>> = {
  tool_observation: "observation",
  write_receipt: "write",
  user_reply: "reply",
  client_reply: "reply of the client",
};

/** "find_first_free" → "find first free". */
export const humanize = (name: string): string => name.replaceAll("_", " ");

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
