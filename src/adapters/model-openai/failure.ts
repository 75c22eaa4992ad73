// Classifies the failure of one attempt: stopped by the caller, temporary, or refused permanently.
import { retryAfterMs } from "./backoff.ts";

export type Failure =
  | { readonly kind: "stopped"; readonly cause: "abort" | "deadline" }
  | { readonly kind: "temporary"; readonly reason: string; readonly retry_after_ms: number | null }
  | { readonly kind: "refused"; readonly status: number | null; readonly code: string; readonly text: string };

export const temporaryFailure = (reason: string, retry_after_ms: number | null = null): Failure => ({
  kind: "temporary",
  reason,
  retry_after_ms,
});

/** Retryable client errors. Any other 4xx is permanent. */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);
/** Providers may send these as 429 or inside a stream, but waiting does not help. */
const PERMANENT_CODES = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "context_length_exceeded",
  "invalid_api_key",
  "model_not_found",
]);

/** Recognizes SDK errors by their shape, so that the SDK does not have to be loaded. */
export function failureOf(error: unknown, now: number, responseStarted: boolean): Failure {
  const thrown = asRecord(error);
  const code = asText(thrown.code);
  const message = error instanceof Error ? error.message : String(error);
  const status = typeof thrown.status === "number" ? thrown.status : statusInCode(thrown.code);

  if (PERMANENT_CODES.has(code) || PERMANENT_CODES.has(asText(thrown.type))) {
    return { kind: "refused", status, code: code || asText(thrown.type), text: message };
  }
  if (status !== null) {
    // Some servers report errors of the chat template as server errors, which would be retried.
    if (mentionsRoles(message) || (!RETRYABLE_STATUSES.has(status) && status < 500)) {
      return { kind: "refused", status, code, text: `${message} ${asText(thrown.param)}`.trim() };
    }
    const wait = thrown.headers instanceof Headers ? retryAfterMs(thrown.headers, now) : null;
    return temporaryFailure(`answered ${message.startsWith(String(status)) ? message : `${status} ${message}`}`, wait);
  }
  if (error instanceof SyntaxError) return temporaryFailure("sent something that is not JSON");
  if (thrown.error !== undefined) return temporaryFailure(`reported an error: ${message}`);
  return temporaryFailure(
    `${responseStarted ? "broke off its reply" : "could not be reached"}: ${causeCode(error) ?? message}`,
  );
}

/** True if the chat template requires user and assistant messages to alternate. */
export const mentionsRoles = (text: string): boolean =>
  /roles? must alternate|alternat\w* (?:between )?(?:user|roles?)|must (?:start|begin) with (?:a )?['"`]?user|(?:consecutive|multiple) ['"`]?(?:user|assistant)/i.test(
    text,
  );

/** Some gateways put the upstream status into `code` of an error inside the stream. */
function statusInCode(code: unknown): number | null {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : null;
}

function causeCode(error: unknown): string | null {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at !== undefined && at !== null; depth += 1) {
    const code = asRecord(at).code;
    if (typeof code === "string" && code !== "") return code;
    at = asRecord(at).cause;
  }
  return null;
}

export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
