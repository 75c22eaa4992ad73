// Creates and verifies signed links that answer a gate. A link is valid for one gate and its content, for a limited time.
import { Webhook as Signer } from "standardwebhooks";
import * as z from "zod";
import { constantTimeEqual } from "../../ports/hash.ts";
import type { Gate } from "../../schema/gate.ts";
import { GateId, TenantId, ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { lastsUntil } from "../../schema/jobs/time-limit.ts";
import type { Webhook } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

export type LinkSettings = {
  /** The server's secret, which is the same in all its processes. */
  readonly secret: string;
  /** The public URL of the server, without a trailing slash. */
  readonly base: string;
};

/** Long enough for a person who is away over the weekend. Afterwards the gate has to be answered elsewhere. */
const LINK_TTL_MS = 7 * 86_400_000;
export const LINK_PREFIX = "cft_";

const LinkPayloadSchema = z.object({
  tenant: TenantId,
  thread: ThreadId,
  gate: GateId,
  digest: z.string(),
  /** The id of the webhook. Empty for a link that a caller requested. */
  webhook: z.string(),
  /** Who requested the link, if no webhook sent it. */
  by: z.string().optional(),
  /** Identifies which key of this name requested the link. Absent if there are no keys, and in links of earlier releases. */
  key: z.string().optional(),
  /** Expiry in milliseconds since the epoch. */
  exp: z.int(),
});
export type LinkPayload = z.infer<typeof LinkPayloadSchema>;

/** Null for a gate that is not answered with yes or no. The same gate always gets the same link. */
export function createConfirmLink(key: LinkSettings, at: ThreadRef, webhook: Webhook, gate: Gate): string | null {
  const until = Date.parse(gate.created_at) + LINK_TTL_MS;
  return signedLink(key, at, gate, { webhook: webhook.id, until })?.url ?? null;
}

/** Limits a direct link to one day, because there is no webhook that could be removed to revoke it. */
const DIRECT_LINK_TTL_MS = 86_400_000;

export type ConfirmLink = { readonly url: string; readonly exp: number };

/** For a link that a caller passes on to a person. Null for a gate that is not answered with yes or no. */
export function createDirectLink(
  settings: LinkSettings,
  at: ThreadRef,
  gate: Gate,
  { caller, now }: { readonly caller: LinkCaller; readonly now: number },
): ConfirmLink | null {
  const key = caller.key === undefined ? {} : { key: keyTag(settings, caller.key) };
  return signedLink(settings, at, gate, { webhook: "", by: caller.name, ...key, until: now + DIRECT_LINK_TTL_MS });
}

/** `key` is the hash of the caller's key, if there are keys. */
type LinkCaller = { readonly name: string; readonly key?: string };

/** Distinguishes keys without revealing their hashes. */
const keyTag = (settings: LinkSettings, sha256: string): string => signLink(settings, `key ${sha256}`).slice(0, 16);

export const isIssuer = (
  settings: LinkSettings,
  { by, key }: LinkPayload,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
): boolean => name === by && (key === undefined || key === keyTag(settings, sha256));

function signedLink(
  key: LinkSettings,
  at: ThreadRef,
  gate: Gate,
  { until, ...issuer }: Pick<LinkPayload, "webhook" | "by" | "key"> & { readonly until: number },
): ConfirmLink | null {
  if (gate.kind !== "confirmation" && gate.kind !== "plan") return null;
  const exp = gate.expires_at === null ? until : Math.min(until, Date.parse(gate.expires_at));
  const payload: LinkPayload = { ...at, gate: gate.id, digest: gate.digest, ...issuer, exp };
  const text = toBase64Url(btoa(JSON.stringify(payload)));
  return { url: `${key.base}/confirm/${LINK_PREFIX}${text}.${signLink(key, text)}`, exp };
}

const signLink = ({ secret }: LinkSettings, text: string): string =>
  toBase64Url(new Signer(secret, { format: "raw" }).sign("confirm", new Date(0), text).slice("v1,".length));

const toBase64Url = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The message is the same for every error, so that it reveals nothing. */
export function verifyLink(key: LinkSettings, token: string, now: number): Result<LinkPayload> {
  const [, text = "", signature = ""] = /^cft_([\w-]{1,1024})\.([\w-]{1,64})$/.exec(token) ?? [];
  if (text === "" || !constantTimeEqual(signature, signLink(key, text))) return linkInvalid();
  const payload = LinkPayloadSchema.safeParse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
  return payload.success && isCurrent(payload.data, now) ? ok(payload.data) : linkInvalid();
}

const isCurrent = ({ exp, webhook }: LinkPayload, now: number): boolean =>
  lastsUntil(exp, now, webhook === "" ? DIRECT_LINK_TTL_MS : LINK_TTL_MS);

const linkInvalid = () => fail("link_invalid", "This link is not valid or has expired.");
