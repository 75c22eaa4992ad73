// Makes a value immutable at every depth, so that it can be shared. For plain data without cycles.
export function deepFreeze<T extends object>(value: T): T {
  // A work list instead of recursion: a damaged row may be nested deeper than the stack allows.
  const pending: object[] = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    Object.freeze(one);
    const parts: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    for (const part of parts) if (isObject(part)) pending.push(part);
  }
  return value;
}

const isObject = (part: unknown): part is object => typeof part === "object" && part !== null;
