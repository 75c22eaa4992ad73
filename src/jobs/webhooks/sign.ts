// Implements the Standard Webhooks specification: signs outgoing deliveries, and verifies the signature and the age of incoming events.
import { Webhook as Signer } from "standardwebhooks";
import { constantTimeEqual } from "../../ports/hash.ts";
import type { SigningSecret } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { validSecrets } from "./secrets.ts";

/** One signature per valid secret, so that receivers can switch to the new secret at any time. */
export function signedHeaders(
  secrets: readonly SigningSecret[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const at = new Date(now);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": validSecrets(secrets, now)
      .map(({ secret }) => new Signer(secret).sign(id, at, body))
      .join(" "),
  };
}

export type SignatureHeaders = {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
};

const TOLERANCE_S = 300;
const SIGNATURES_MAX = 16;

/** Returns the sender's id of the event. Errors reveal nothing about the secrets. */
export function verifySignature(
  secrets: readonly SigningSecret[],
  { id, timestamp, signature }: SignatureHeaders,
  body: string,
  now: number,
): Result<string> {
  // The parts of the signed text are separated by dots, so the id must not contain one.
  if (!id || !/^[\x21-\x2d\x2f-\x7e]{1,255}$/.test(id)) return signatureInvalid("webhook-id is missing or invalid");
  if (!timestamp || !/^[1-9]\d{0,11}$/.test(timestamp))
    return signatureInvalid("webhook-timestamp is missing or invalid");
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > TOLERANCE_S)
    return signatureInvalid(`webhook-timestamp is more than ${TOLERANCE_S} seconds off`);
  const signatures = (signature ?? "").split(" ");
  if (!signature || signatures.length > SIGNATURES_MAX)
    return signatureInvalid("webhook-signature is missing or too long");
  const at = new Date(Number(timestamp) * 1000);
  let verified = false;
  // Compares all of them, so that the duration does not reveal which one matched.
  for (const { secret } of validSecrets(secrets, now)) {
    const expected = new Signer(secret).sign(id, at, body);
    for (const one of signatures) verified = constantTimeEqual(one, expected) || verified;
  }
  return verified ? ok(id) : signatureInvalid("no signature matches");
}

const signatureInvalid = (why: string) => fail("signature_invalid", `${why}.`);
