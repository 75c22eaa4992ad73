// Checks that a loaded entry has the fields that a turn reads, with the right types. Written by hand for speed: a load checks seventeen entries,
// and validating them fully would cost more than the rest of the load.
type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isString: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isBoolean: Check = (value) => typeof value === "boolean";
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const fields = (shape: Shape): Check => {
  const checks = Object.entries(shape);
  return (value) => isObject(value) && checks.every(([name, check]) => check(value[name]));
};

/** Maximum nesting depth of an accepted value. Serializing a deeper one could overflow the stack. */
const DEPTH_MAX = 128;
const isShallow = (value: unknown, left = DEPTH_MAX): boolean => {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((part) => isShallow(part, left - 1));
};

const ENTRY_SHAPE: Shape = {
  commit_id: isString,
  at: isString,
  actor: isString,
  run: isNumber,
  turn: isNumber,
  create: nullable(fields({ goal: optional(isString) })),
  input: nullable(
    fields({
      type: isString,
      text: optional(isString),
      choice: optional(isString),
      reason: optional(isString),
      note: optional(isString),
    }),
  ),
  prompt_hash: nullable(isString),
  corrections: list(isObject),
  decision: nullable(
    fields({ value: fields({ action: isString, tool_call: optional(nullable(fields({ name: isString }))) }) }),
  ),
  speak: nullable(isString),
  thought: nullable(isString),
  call: nullable(
    fields({
      name: isString,
      thought: isString,
      arguments: nullable((value) => isObject(value) && isShallow(value)),
      arguments_blob: nullable(isString),
    }),
  ),
  receipts: list(fields({ id: isString, kind: isString, source: isString, name: isString, summary: isString })),
  observation: nullable(
    fields({ text: isString, size: isNumber, receipt_id: nullable(isString), blob: nullable(isString) }),
  ),
  signals: list(isString),
  closed_gate: nullable(fields({ id: isString, kind: isString, how: isString, text: nullable(isString) })),
  key: nullable(fields({ hash: isString, body: isString, i: isNumber, last: isBoolean })),
  events: fields({ first: isNumber, count: isNumber }),
};

export function invalidField(entry: Readonly<Record<string, unknown>>): string | null {
  for (const name in ENTRY_SHAPE) if (!ENTRY_SHAPE[name]?.(entry[name])) return name;
  return null;
}
