// Compares the JSON text of two values, including the order of fields. Shared parts are not serialized.

export const isSameJson = (a: unknown, b: unknown): boolean =>
  isDeepEqual(a, b) || JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns true only if the values are certainly equal. Otherwise their JSON decides, because a field that is missing in
 * one may be undefined in the other.
 */
function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] ?? "";
    if (name !== others[i]) return false;
    if (!isDeepEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])) return false;
  }
  return true;
}
