// Removes anything that looks like a secret from a finished line of text.
import { createRedactor, REDACTED } from "../../tools/redaction/redact.ts";

/** Shapes that count in a log although they are too short or too plain to be cut out of other text. */
const SECRET_SHAPES = /pawl_[A-Za-z0-9_-]{22,}|\b(?:Bearer|Basic)\s+[^\s"\\]+|\bsk-[A-Za-z0-9_-]{16,}/gi;

/** `known`: values that are secret whatever they look like, such as the keys of providers. */
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
