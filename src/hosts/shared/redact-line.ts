// Cuts whatever looks like a secret out of a finished line of text, wherever it was in it.
const REDACTED = "[redacted]";
/** Keys, tickets, signing secrets and addresses that open something of ours, what follows Bearer or Basic, and the usual form of providers' keys. */
const SECRET_PATTERN =
  /pawl_[A-Za-z0-9_-]{22,}|tkt_[0-9a-z]{26,}|whsec_[A-Za-z0-9+/=]{16,}|(?:hkt|cft)_[A-Za-z0-9_.-]{16,}|\b(?:Bearer|Basic)\s+[^\s"\\]+|\bsk-[A-Za-z0-9_-]{16,}/gi;

/** `known`: values that are secret whatever they look like, such as the keys of providers. */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const escapedSecrets = secrets
    .filter((secret) => secret.length >= 8)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (line) =>
    escapedSecrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), line).replace(SECRET_PATTERN, REDACTED);
}
