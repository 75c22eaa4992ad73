// Whether a loaded entry has the fields that a turn reads, in the right type. By hand and in a microsecond: a load looks
// at seventeen entries, and checking them whole would cost more than the rest of it.

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const flag: Check = (value) => typeof value === "boolean";
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const maybe =
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

/** Deeper than anything that was ever accepted: writing it out again could break the stack. */
const DEPTH_MAX = 128;
const isShallow = (value: unknown, left = DEPTH_MAX): boolean => {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((part) => isShallow(part, left - 1));
};

const ENTRY: Shape = {
  commit_id: text,
  at: text,
  actor: text,
  run: number,
  turn: number,
  create: orNull(fields({ goal: maybe(text) })),
  input: orNull(fields({ type: text, text: maybe(text), choice: maybe(text), reason: maybe(text), note: maybe(text) })),
  prompt_hash: orNull(text),
  corrections: list(isObject),
  speak: orNull(text),
  thought: orNull(text),
  call: orNull(
    fields({
      name: text,
      thought: text,
      arguments: orNull((value) => isObject(value) && isShallow(value)),
      arguments_blob: orNull(text),
    }),
  ),
  receipts: list(fields({ id: text, kind: text, source: text, name: text, summary: text })),
  observation: orNull(fields({ text, size: number, receipt_id: orNull(text), blob: orNull(text) })),
  signals: list(text),
  closed_gate: orNull(fields({ id: text, kind: text, how: text, text: orNull(text) })),
  key: orNull(fields({ hash: text, body: text, i: number, last: flag })),
  events: fields({ first: number, count: number }),
};

/** The name of a field that is not as it must be, or null. */
export function misshapenField(entry: Readonly<Record<string, unknown>>): string | null {
  for (const name in ENTRY) if (!ENTRY[name]?.(entry[name])) return name;
  return null;
}
