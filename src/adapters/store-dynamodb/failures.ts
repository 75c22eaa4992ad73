// Classifies errors of calls by name: retryable, permanently unavailable, unmet condition, or a bug.
import type { CancellationReason } from "@aws-sdk/client-dynamodb";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Item } from "./keys.ts";

/** Errors of requests that were rejected before they had any effect. */
const BUSY_ERRORS = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
  "LimitExceededException",
  "TransactionConflictException",
  "TransactionInProgressException",
  "ReplicatedWriteConflictException",
]);
const BUSY_REASONS = new Set(["TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"]);

/** Errors for which a retry does not help, because the table does not exist or this process may not use it. */
const PERMANENT_ERRORS = new Set([
  "ResourceNotFoundException",
  "AccessDeniedException",
  "UnrecognizedClientException",
  "InvalidSignatureException",
  "ExpiredTokenException",
  "CredentialsProviderError",
]);

/** Errors after which it is unknown whether the request was executed, because it or its reply was lost. */
const AMBIGUOUS_ERRORS = new Set([
  "InternalServerError",
  "InternalServerErrorException",
  "ServiceUnavailable",
  "ServiceUnavailableException",
  "TimeoutError",
  "AbortError",
]);
const NETWORK_ERROR_CODES = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "ENOTFOUND"]);

export type StoreFailure = { readonly retryable: boolean; readonly reason: string };

/** Null for an error that is not the table's, such as a malformed request, which is a bug. */
export function storeFailure(thrown: unknown): StoreFailure | null {
  if (!(thrown instanceof Error)) return null;
  const reason = `${thrown.name}: ${thrown.message}`;
  if (isCanceled(thrown)) return isConflict(thrown) ? { retryable: true, reason } : null;
  if (BUSY_ERRORS.has(thrown.name) || AMBIGUOUS_ERRORS.has(thrown.name) || isAmbiguous(thrown))
    return { retryable: true, reason };
  return PERMANENT_ERRORS.has(thrown.name) ? { retryable: false, reason: thrown.name } : null;
}

/** Errors are recognized by name, because a program may have several copies of the SDK, or none. */
type Canceled = Error & { readonly CancellationReasons?: readonly CancellationReason[] };
type Unmet = Error & { readonly Item?: Item };
const isCanceled = (thrown: Error): thrown is Canceled => thrown.name === "TransactionCanceledException";
const isUnmet = (thrown: Error): thrown is Unmet => thrown.name === "ConditionalCheckFailedException";

const reasonsOf = (thrown: Canceled): readonly CancellationReason[] => thrown.CancellationReasons ?? [];

const isConflict = (thrown: Canceled): boolean => reasonsOf(thrown).some(({ Code }) => BUSY_REASONS.has(Code ?? ""));

function isAmbiguous(thrown: Error): boolean {
  if ("code" in thrown && NETWORK_ERROR_CODES.has(String(thrown.code))) return true;
  const status = (thrown as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  return status >= 500;
}

/** By their index in the transaction, or at 0 for a single write. Null if the error has another cause. */
export function unmetConditions(thrown: unknown): ReadonlyMap<number, Item | null> | null {
  if (!(thrown instanceof Error)) return null;
  if (isUnmet(thrown)) return new Map([[0, thrown.Item ?? null]]);
  if (!isCanceled(thrown)) return null;
  const unmet = reasonsOf(thrown).flatMap(({ Code, Item }, index): [number, Item | null][] =>
    Code === "ConditionalCheckFailed" ? [[index, Item ?? null]] : [],
  );
  return unmet.length === 0 ? null : new Map(unmet);
}

/** Runs a conditional write. Returns the items that did not meet their conditions, or null if it was executed. */
export async function conditionalWrite(
  write: () => Promise<unknown>,
): Promise<ReadonlyMap<number, Item | null> | null> {
  try {
    await write();
    return null;
  } catch (thrown) {
    const unmet = unmetConditions(thrown);
    if (unmet === null) throw thrown;
    return unmet;
  }
}

/** All retries of the store have failed, so callers should wait before they retry. */
const RETRY_AFTER_S = 2;

export const unavailable = (reason: string): Failed =>
  fail("store_unavailable", `The table is unavailable: ${reason}.`, { retry_after_s: RETRY_AFTER_S });
