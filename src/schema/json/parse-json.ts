// Parses text that may not be JSON, for callers that treat invalid JSON as a missing value.
/** Undefined, which is not a JSON value, if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
