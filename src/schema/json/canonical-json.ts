// Writes canonical JSON (RFC 8785) for digests, so that equal values give equal text. Anything but a parsed JSON value throws.
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`;
  if (typeof value === "object") return canonicalObject(value);
  throw new TypeError(`canonical JSON has no ${typeof value}`);
}

// Prints a number exactly as ECMAScript does, as the RFC prescribes, so 1.0 becomes 1 and -0 becomes 0.
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`canonical JSON has no ${value}`);
  return String(value);
}

// Prints a string without normalizing it. Two encodings of the same letter are different strings, as they are for the tool that receives them.
function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("canonical JSON has no lone surrogates");
  return JSON.stringify(value);
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError("canonical JSON takes plain objects only");
  // The default sort order compares UTF-16 units, as the RFC requires.
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const inner: unknown = (value as Record<string, unknown>)[key];
    if (inner !== undefined) members.push(`${canonicalString(key)}:${canonicalJson(inner)}`);
  }
  return `{${members.join(",")}}`;
}
