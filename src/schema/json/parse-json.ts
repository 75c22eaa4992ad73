// Parses text that may not be JSON, for callers that treat invalid JSON as a missing value.

/** Parses the text. Returns undefined, which is not a JSON value, if it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
