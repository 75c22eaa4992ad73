// Links by which a gate is answered: signed, for one gate and what it shows, for a while. The gate itself is spent once.
import { Webhook as Signer } from "standardwebhooks";
import { z } from "zod";
import type { Gate } from "../../schema/gate.ts";
import { GateId, TenantId, ThreadId, type ThreadRef } from "../../schema/ids.ts";
import type { Webhook } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { constantTimeEqual } from "./constant-time-equal.ts";

export type LinkSettings = {
  /** Of the server, the same for all its processes. */
  readonly secret: string;
  /** Where people reach the server, without a slash at the end. */
  readonly base: string;
};

/** Days are enough for whoever is away over the weekend; afterwards the gate is answered elsewhere. */
const LINK_TTL_MS = 7 * 86_400_000;
export const LINK_PREFIX = "cft_";

const LinkPayloadSchema = z.object({
  tenant: TenantId,
  thread: ThreadId,
  gate: GateId,
  digest: z.string(),
  webhook: z.string(),
  /** Milliseconds since the epoch. */
  exp: z.int(),
});
export type LinkPayload = z.infer<typeof LinkPayloadSchema>;

/** null for a gate that is not answered by yes or no. Of the same gate always the same link. */
export function createConfirmLink(key: LinkSettings, at: ThreadRef, webhook: Webhook, gate: Gate): string | null {
  if (gate.kind !== "confirmation" && gate.kind !== "plan") return null;
  const defaultExpiry = Date.parse(gate.created_at) + LINK_TTL_MS;
  const exp = gate.expires_at === null ? defaultExpiry : Math.min(defaultExpiry, Date.parse(gate.expires_at));
  const payload: LinkPayload = { ...at, gate: gate.id, digest: gate.digest, webhook: webhook.id, exp };
  const text = toBase64Url(btoa(JSON.stringify(payload)));
  return `${key.base}/confirm/${LINK_PREFIX}${text}.${signLink(key, text)}`;
}

const signLink = ({ secret }: LinkSettings, text: string): string =>
  toBase64Url(new Signer(secret, { format: "raw" }).sign("confirm", new Date(0), text).slice("v1,".length));

const toBase64Url = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Whatever is wrong with it is told in the same words. */
export function verifyLink(key: LinkSettings, token: string, now: number): Result<LinkPayload> {
  const [, text = "", signature = ""] = /^cft_([\w-]{1,1024})\.([\w-]{1,64})$/.exec(token) ?? [];
  if (text === "" || !constantTimeEqual(signature, signLink(key, text))) return linkInvalid();
  const payload = LinkPayloadSchema.safeParse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
  return payload.success && now < payload.data.exp ? ok(payload.data) : linkInvalid();
}

const linkInvalid = () => fail("link_invalid", "This link is not valid, or its time is over.");
