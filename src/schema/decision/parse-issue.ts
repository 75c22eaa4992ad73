// Describes what is wrong with a reply so that the model can correct it. Quotes only a little of it, because a reply may contain anything.
import { type Failed, fail } from "../problem.ts";

export type ParseIssue = {
  /** The path inside the parsed text; empty if no field can be named. */
  readonly field: string;
  readonly found: string;
  readonly legal: string;
  readonly excerpt: string;
};

// Together, these limits allow at most 200 characters of the model's own text in a correction, so that it stays small.
const EXCERPT_MAX = 160;
const FIELD_MAX = 40;

/** Does not split a surrogate pair, so that the result can be stored as UTF-8. */
function truncate(text: string, max: number): string {
  return text.length <= max
    ? text.toWellFormed()
    : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}

export function excerptAt(text: string, at: number): string {
  return truncate(text.slice(Math.max(0, Math.min(at, text.length) - 60)), EXCERPT_MAX);
}

export function excerptOf(value: unknown): string {
  return truncate(JSON.stringify(value) ?? "nothing", EXCERPT_MAX);
}

/** Formats a path: `["tool_call", "arguments", "ids", 2]` becomes `tool_call.arguments.ids[2]`. */
export function formatPath(path: readonly (string | number)[]): string {
  const joined = path.reduce<string>((field, part) => {
    if (typeof part === "number") return `${field}[${part}]`;
    return field === "" ? part : `${field}.${part}`;
  }, "");
  return truncate(joined, FIELD_MAX);
}

export function invalidDecision(issue: ParseIssue): Failed {
  const { found, legal, excerpt } = issue;
  const field = issue.field || "reply";
  return fail("decision_invalid", `${field}: found ${found}; legal is ${legal}. Excerpt: ${excerpt}`, {
    ...issue,
    field,
  });
}
