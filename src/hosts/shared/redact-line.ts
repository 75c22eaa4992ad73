// Removes anything that looks like a secret from a finished line of text.
import { createRedactor, REDACTED } from "../../tools/redaction/redact.ts";

/**
 * Matches secrets that are removed only from logs, because they are too short or too plain to remove from other text.
 */
const SECRET_SHAPES = /pawl_[A-Za-z0-9_-]{22,}|\b(?:Bearer|Basic)\s+[^\s"\\]+|\bsk-[A-Za-z0-9_-]{16,}/gi;

/** Creates a redactor. `secrets` are values that are always removed, such as the keys of providers. */
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
