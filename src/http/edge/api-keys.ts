// Authenticates callers by API key. Keys are stored as hashes and have a name, a tenant and scopes.
import * as z from "zod";
import { constantTimeEqual, type Hash } from "../../ports/hash.ts";
import { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { type Authenticate, type Caller, SCOPES } from "./caller.ts";

export const KEY_PATTERN = /^pawl_[A-Za-z0-9_-]{22,128}$/;

/** Contains the hash of the key and never the key itself. */
export const ApiKeyRecord = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, "letters, digits, _ . @ and -, at most 64")
    // Names are shown and stored in plain text, so a configuration that swaps name and key must not publish the key.
    .refine((name) => !KEY_PATTERN.test(name), "a key is not a name"),
  tenant: TenantId,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of the key in lower-case hex"),
  scopes: z.array(z.enum(SCOPES)).min(1),
  expires_at: z.iso.datetime().nullable().default(null),
});
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** The fields of a key that may be shown. */
export const ApiKeyView = ApiKeyRecord.pick({ name: true, scopes: true, expires_at: true });
export type ApiKeyView = z.infer<typeof ApiKeyView>;

export const apiKeyView = ({ name, scopes, expires_at }: ApiKeyRecord): ApiKeyView => ({ name, scopes, expires_at });

export const keysOf = (rows: readonly ApiKeyRecord[], tenant: TenantId): readonly ApiKeyRecord[] =>
  rows.filter((row) => row.tenant === tenant);

export type ApiKeySource = {
  /** Called for every request, so that a revoked key is refused immediately. */
  readonly rows: () => readonly ApiKeyRecord[];
  readonly now: () => number;
  readonly hash: Hash;
};

export function createKeyAuthenticator(source: ApiKeySource): Authenticate {
  return (headers) => {
    const key = readBearerKey(headers);
    return key.ok ? findCallerByHash(source, source.hash.sha256(key.value)) : key;
  };
}

/** Revalidation needs only the hash, so the key itself is not kept. */
export function findCallerByHash(source: ApiKeySource, digest: string): Result<Caller> {
  let found: ApiKeyRecord | null = null;
  // Compares every row even after a match, so that the response time reveals nothing about the stored keys.
  for (const row of source.rows()) if (constantTimeEqual(row.sha256, digest)) found = row;
  if (!found) return fail("unauthorized", "The key is unknown.");
  if (hasKeyExpired(found, source.now())) return fail("unauthorized", `The key ${found.name} has expired.`);
  return ok({ ...toCaller(found), revalidate: () => findCallerByHash(source, digest) });
}

export const hasKeyExpired = ({ expires_at }: ApiKeyView, now: number): boolean =>
  expires_at !== null && now >= Date.parse(expires_at);

const toCaller = (row: ApiKeyRecord): Caller => ({
  tenant: row.tenant,
  name: row.name,
  scopes: new Set(row.scopes),
  key: row.sha256,
});

function readBearerKey(headers: Headers): Result<string> {
  const value = headers.get("authorization");
  if (value === null) return fail("unauthorized", "There is no Authorization header.");
  // Repeated headers are joined by a comma, which no key contains, so two keys are refused here.
  const match = /^Bearer (\S+)$/i.exec(value);
  const key = match?.[1];
  return key && KEY_PATTERN.test(key)
    ? ok(key)
    : fail("unauthorized", "The Authorization header must be Bearer, followed by one key.");
}
