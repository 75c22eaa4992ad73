// Whether two values have the same JSON text, with fields in the same order. Shared parts are not serialized.

export const isSameJson = (a: unknown, b: unknown): boolean =>
  isDeepEqual(a, b) || JSON.stringify(a) === JSON.stringify(b);

/** True only if certainly equal. Otherwise the texts decide: a missing field in one may be undefined in the other. */
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
