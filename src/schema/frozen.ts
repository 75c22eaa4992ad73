// A value that nobody can change any more, however deep: so that many may hold the same one. For plain data without cycles.
export function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part);
  return Object.freeze(value);
}
