// Creates and rotates signing secrets, and returns those that are valid now. An old secret stays valid for a while after a rotation.
import { isoTime } from "../../ports/clock.ts";
import { lastsUntil } from "../../schema/jobs/time-limit.ts";
import type { SigningSecret } from "../../schema/jobs/webhook.ts";
import type { Runtime } from "../../turn/runtime.ts";

export const DEFAULT_GRACE_S = 86_400;
export const GRACE_S_MAX = 604_800;
/** Maximum number of secrets. The signatures of more would not fit into a header that all servers accept. */
const SECRETS_MAX = 4;

/** Number of ids combined into a token, because a single id has less entropy than a key needs. */
const ID_COUNT = 4;

export function createSigningSecret(rt: Pick<Runtime, "ids" | "hash" | "clock">): SigningSecret {
  const digest = rt.hash.sha256(Array.from({ length: ID_COUNT }, () => rt.ids.make("whk")).join(" "));
  return { secret: `whsec_${hexToBase64(digest)}`, created_at: isoTime(rt.clock.now()), expires_at: null };
}

/** 64 random hexadecimal digits. */
export const createToken = (rt: Pick<Runtime, "ids" | "hash">): string =>
  rt.hash.sha256(Array.from({ length: ID_COUNT }, () => rt.ids.make("tkt")).join(" "));

const hexToBase64 = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

export const validSecrets = (secrets: readonly SigningSecret[], now: number): readonly SigningSecret[] =>
  secrets.filter(
    ({ expires_at }) => expires_at === null || lastsUntil(Date.parse(expires_at), now, GRACE_S_MAX * 1000),
  );

/** Newest first. Old secrets end at their expiry, or after `grace_s` if that is earlier. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  newSecret: SigningSecret,
  now: number,
  grace_s: number,
) {
  const until = now + grace_s * 1000;
  const expiring = validSecrets(secrets, now).map((old) => ({
    ...old,
    expires_at: isoTime(old.expires_at === null ? until : Math.min(until, Date.parse(old.expires_at))),
  }));
  return [newSecret, ...(grace_s === 0 ? [] : expiring)].slice(0, SECRETS_MAX);
}
