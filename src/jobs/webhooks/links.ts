// Links by which a gate is answered: signed, for one gate and what it shows, for a while. The gate itself is spent once.
import { Webhook as Signer } from "standardwebhooks";
import { z } from "zod";
import type { Gate } from "../../schema/gate.ts";
import { GateId, TenantId, type ThreadAt, ThreadId } from "../../schema/ids.ts";
import type { Webhook } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { sameText } from "./same-text.ts";

export type LinkKey = {
  /** Of the server, the same for all its processes. */
  readonly secret: string;
  /** Where people reach the server, without a slash at the end. */
  readonly base: string;
};

/** Days are enough for whoever is away over the weekend; afterwards the gate is answered elsewhere. */
const LIFE_MS = 7 * 86_400_000;
export const LINK_PREFIX = "cft_";

const Claims = z.object({
  tenant: TenantId,
  thread: ThreadId,
  gate: GateId,
  digest: z.string(),
  webhook: z.string(),
  /** Milliseconds since the epoch. */
  exp: z.int(),
});
export type LinkClaims = z.infer<typeof Claims>;

/** null for a gate that is not answered by yes or no. Of the same gate always the same link. */
export function confirmLink(key: LinkKey, at: ThreadAt, webhook: Webhook, gate: Gate): string | null {
  if (gate.kind !== "confirmation" && gate.kind !== "plan") return null;
  const own = Date.parse(gate.created_at) + LIFE_MS;
  const exp = gate.expires_at === null ? own : Math.min(own, Date.parse(gate.expires_at));
  const claims: LinkClaims = { ...at, gate: gate.id, digest: gate.digest, webhook: webhook.id, exp };
  const text = urlSafe(btoa(JSON.stringify(claims)));
  return `${key.base}/confirm/${LINK_PREFIX}${text}.${signatureOf(key, text)}`;
}

const signatureOf = ({ secret }: LinkKey, text: string): string =>
  urlSafe(new Signer(secret, { format: "raw" }).sign("confirm", new Date(0), text).slice("v1,".length));

const urlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Whatever is wrong with it is told in the same words. */
export function readLink(key: LinkKey, token: string, now: number): Result<LinkClaims> {
  const [, text = "", signature = ""] = /^cft_([\w-]{1,1024})\.([\w-]{1,64})$/.exec(token) ?? [];
  if (text === "" || !sameText(signature, signatureOf(key, text))) return invalid();
  const claims = Claims.safeParse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
  return claims.success && now < claims.data.exp ? ok(claims.data) : invalid();
}

const invalid = () => fail("link_invalid", "This link is not valid, or its time is over.");
