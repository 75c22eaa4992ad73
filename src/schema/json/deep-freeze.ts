// A value that nobody can change any more, however deep: so that many may hold the same one. For plain data without cycles.
export function deepFreeze<T extends object>(value: T): T {
  // A list of what is left instead of a call for each part: a damaged row may be nested deeper than the stack.
  const pending: object[] = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    Object.freeze(one);
    const parts: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    for (const part of parts) if (isObject(part)) pending.push(part);
  }
  return value;
}

const isObject = (part: unknown): part is object => typeof part === "object" && part !== null;
