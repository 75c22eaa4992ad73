// The assertions of contract cases, which work in any test runner. A failure is thrown.
import type { Problem, ProblemCode, Result } from "../schema/problem.ts";

const preview = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
};

function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left: Record<string, unknown> = { ...a };
  const right: Record<string, unknown> = { ...b };
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]));
}

export function equal(actual: unknown, expected: unknown, what = "value"): void {
  if (!deepEqual(actual, expected)) throw new Error(`${what}: expected ${preview(expected)}, got ${preview(actual)}`);
}

export function isTrue(condition: boolean, what: string): void {
  if (!condition) throw new Error(`expected: ${what}`);
}

export function succeeded<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`expected success, got ${result.problem.code}: ${result.problem.message}`);
  return result.value;
}

export function failedWith(result: Result<unknown>, code: ProblemCode): Problem {
  if (result.ok) throw new Error(`expected ${code}, got success with ${preview(result.value)}`);
  equal(result.problem.code, code, "problem code");
  return result.problem;
}
