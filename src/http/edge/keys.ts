// API keys: only their hashes are known here, compared in constant time; each has a name, a tenant and scopes.
import { z } from "zod";
import type { Hash } from "../../ports/hash.ts";
import { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { type Authenticate, type Caller, SCOPES } from "./caller.ts";

export const KEY_PATTERN = /^pawl_[A-Za-z0-9_-]{22,128}$/;

/** How a key is kept: never itself. */
export const KeyRow = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, "letters, digits, _ . @ and -, at most 64"),
  tenant: TenantId,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of the key in lower-case hex"),
  scopes: z.array(z.enum(SCOPES)).min(1),
  expires_at: z.iso.datetime().nullable().default(null),
});
export type KeyRow = z.infer<typeof KeyRow>;

export type KeyRing = {
  /** Asked at every request, so that a key taken away is gone at once. */
  readonly rows: () => readonly KeyRow[];
  readonly now: () => number;
  readonly hash: Hash;
};

export function keyAuthenticator(ring: KeyRing): Authenticate {
  return (headers) => {
    const key = bearer(headers);
    return key.ok ? holderOf(ring, ring.hash.sha256(key.value)) : key;
  };
}

/** Whose key has this hash. Only the hash is remembered for asking again. */
function holderOf(ring: KeyRing, digest: string): Result<Caller> {
  let found: KeyRow | null = null;
  // All rows are looked at, so that the time does not tell how far a guess got.
  for (const row of ring.rows()) if (sameText(row.sha256, digest)) found = row;
  if (!found) return fail("unauthorized", "No key like this is known.");
  if (found.expires_at !== null && ring.now() >= Date.parse(found.expires_at))
    return fail("unauthorized", `The key ${found.name} has expired.`);
  return ok({ ...callerOf(found), current: () => holderOf(ring, digest) });
}

export const callerOf = (row: KeyRow): Caller => ({ tenant: row.tenant, name: row.name, scopes: new Set(row.scopes) });

function bearer(headers: Headers): Result<string> {
  const value = headers.get("authorization");
  if (value === null) return fail("unauthorized", "There is no Authorization header.");
  // Two headers arrive joined by a comma, which no key holds.
  const match = /^Bearer (\S+)$/i.exec(value);
  const key = match?.[1];
  return key && KEY_PATTERN.test(key)
    ? ok(key)
    : fail("unauthorized", "The Authorization header is not one Bearer key.");
}

function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let different = 0;
  for (let i = 0; i < a.length; i++) different |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return different === 0;
}
