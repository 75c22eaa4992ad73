// Parses text that may not be JSON, for callers that treat invalid JSON as a missing value.

/** Returns undefined, which is no JSON value, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
