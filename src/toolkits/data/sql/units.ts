// Reads units of time.
import { UNITS } from "./functions.ts";
import { notUnderstood } from "./node.ts";

export function readUnit(value: unknown): string {
  const unit = typeof value === "string" ? value.toLowerCase() : "";
  return UNITS.has(unit) ? unit.toUpperCase() : notUnderstood("a unit of time");
}
