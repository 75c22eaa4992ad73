// A value that nobody can change any more, however deep: so that many may hold the same one. For plain data without cycles.
export function frozen<T extends object>(value: T): T {
  // Not over Object.values: rows are frozen in every turn, and their lists of words need no copy for it.
  if (Array.isArray(value)) for (const part of value) freezePart(part);
  else for (const name in value) freezePart(value[name]);
  return Object.freeze(value);
}

function freezePart(part: unknown): void {
  if (typeof part === "object" && part !== null) frozen(part);
}
