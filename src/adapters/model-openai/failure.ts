// Sorts what can go wrong with one try: stopped by us, worth another try, or refused for good.
import { retryAfterMs } from "./backoff.ts";

export type Failure =
  | { readonly kind: "stopped"; readonly cause: "abort" | "deadline" }
  | { readonly kind: "temporary"; readonly what: string; readonly retry_after_ms: number | null }
  | { readonly kind: "refused"; readonly status: number | null; readonly code: string; readonly text: string };

export const temporary = (what: string, retry_after_ms: number | null = null): Failure => ({
  kind: "temporary",
  what,
  retry_after_ms,
});

/** Statuses that say "later": the rest of 4xx says "never like this". */
const LATER = new Set([408, 409, 425, 429]);
/** A provider may dress these as "too many requests" or put them into a stream, but waiting does not help. */
const FOR_GOOD = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "context_length_exceeded",
  "invalid_api_key",
  "model_not_found",
]);

/** The SDK's errors by their shape, so that the SDK need not be loaded to read them. */
export function failureOf(error: unknown, now: number, begun: boolean): Failure {
  const thrown = record(error);
  const code = text(thrown.code);
  const message = error instanceof Error ? error.message : String(error);
  const status = typeof thrown.status === "number" ? thrown.status : statusInCode(thrown.code);

  if (FOR_GOOD.has(code) || FOR_GOOD.has(text(thrown.type))) {
    return { kind: "refused", status, code: code || text(thrown.type), text: message };
  }
  if (status !== null) {
    if (!LATER.has(status) && status < 500) {
      return { kind: "refused", status, code, text: `${message} ${text(thrown.param)}`.trim() };
    }
    const wait = thrown.headers instanceof Headers ? retryAfterMs(thrown.headers, now) : null;
    return temporary(`answered ${message.startsWith(String(status)) ? message : `${status} ${message}`}`, wait);
  }
  if (error instanceof SyntaxError) return temporary("sent something that is not JSON");
  if (thrown.error !== undefined) return temporary(`reported an error: ${message}`);
  return temporary(`${begun ? "broke off its reply" : "could not be reached"}: ${causeCode(error) ?? message}`);
}

/** Some gateways put the status of the provider behind them into `code` of an error inside the stream. */
function statusInCode(code: unknown): number | null {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : null;
}

function causeCode(error: unknown): string | null {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at !== undefined && at !== null; depth += 1) {
    const code = record(at).code;
    if (typeof code === "string" && code !== "") return code;
    at = record(at).cause;
  }
  return null;
}

export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
