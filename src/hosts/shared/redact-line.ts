// Redacts anything that looks like a secret in a finished line of text.
import { createRedactor, REDACTED } from "../../tools/redaction/redact.ts";

/** Redacted only in logs. These patterns are too broad for other text, from which they would remove harmless words. */
const SECRET_SHAPES = /pawl_[A-Za-z0-9_-]{22,}|\b(?:Bearer|Basic)\s+[^\s"\\]+|\bsk-[A-Za-z0-9_-]{16,}/gi;

/** `secrets` are values that are always redacted, such as the keys of providers. */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const escapedSecrets = secrets
    .filter((secret) => secret.length >= 8)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  const { text } = createRedactor();
  return (line) =>
    text(
      escapedSecrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), line).replace(SECRET_SHAPES, REDACTED),
    );
}
