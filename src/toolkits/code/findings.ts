// Reads the reports of linters in SARIF 2.1 and in the JSON of ESLint. An invalid finding does not affect the others.
import * as z from "zod";
import { parseJson } from "../../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { plainLine } from "../../tools/text-format.ts";

export const LintIssue = z.object({
  file: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  severity: z.enum(["error", "warning", "note"]),
  rule: z.string().nullable(),
  message: z.string(),
});
export type LintIssue = z.infer<typeof LintIssue>;
export type ReportFormat = "sarif" | "eslint";

const TEXT_CHARS_MAX = 1_000;
const RULE_CHARS_MAX = 200;
/** At most this many positions of the text are tried as the start and the end of a report. */
const TRIES_MAX = 10;

const Position = z.int().min(0).nullish().catch(null);
const Text = z.string().nullish().catch(null);
/** Items of another type are dropped. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item.nullable().catch(null)).transform((items) => items.filter((one) => one !== null));

const Eslint = z.array(
  z.object({
    filePath: z.string(),
    messages: listOf(z.object({ ruleId: Text, severity: z.number(), message: Text, line: Position, column: Position })),
  }),
);

const Location = z.object({
  physicalLocation: z.object({
    artifactLocation: z.object({ uri: Text }).nullish().catch(null),
    region: z.object({ startLine: Position, startColumn: Position }).nullish().catch(null),
  }),
});
const SarifResult = z.object({
  ruleId: Text,
  rule: z.object({ id: Text }).nullish().catch(null),
  kind: Text,
  level: Text,
  message: z.object({ text: Text, markdown: Text }).nullish().catch(null),
  locations: listOf(Location).nullish().catch(null),
  suppressions: listOf(z.object({ status: Text }))
    .nullish()
    .catch(null),
});
type SarifResult = z.infer<typeof SarifResult>;
const Sarif = z.object({ runs: z.array(z.object({ results: listOf(SarifResult).nullish() })) });

export function readFindings(format: ReportFormat, text: string): Result<readonly LintIssue[]> {
  for (const json of reportsIn(text)) {
    if (format === "eslint") {
      const read = Eslint.safeParse(json);
      if (read.success) return ok(fromEslint(read.data));
    } else {
      const read = Sarif.safeParse(json);
      if (read.success)
        return ok(read.data.runs.flatMap(({ results }) => (results ?? []).filter(isFinding).map(fromSarif)));
    }
  }
  const shown = plainLine(text, TEXT_CHARS_MAX) || "nothing";
  return fail("tool_refused", `The linter printed no ${format} report: ${shown}`);
}

/** Programs also print notes before and after the report. A truncated report yields nothing. */
function* reportsIn(text: string): Generator<unknown> {
  const starts = [text.search(/[[{]/), ...[...text.matchAll(/^[[{]/gm)].map(({ index }) => index)];
  const ends = [...text.matchAll(/[\]}](?=\s*$)/gm)].map(({ index }) => index + 1).reverse();
  for (const start of new Set(starts.slice(0, TRIES_MAX)))
    for (const end of ends.slice(0, TRIES_MAX)) {
      const json = start < 0 ? undefined : parseJson(text.slice(start, end));
      if (json !== undefined) yield json;
    }
}

const fromEslint = (files: z.infer<typeof Eslint>): readonly LintIssue[] =>
  files.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, severity, message, line, column }) => ({
      file: plainLine(filePath, TEXT_CHARS_MAX),
      line: line ?? null,
      column: column ?? null,
      severity: severity >= 2 ? ("error" as const) : ("warning" as const),
      rule: ruleOf(ruleId),
      message: plainLine(message ?? "", TEXT_CHARS_MAX),
    })),
  );

/** False for results that are suppressed or that report no violation. */
function isFinding({ kind, suppressions }: SarifResult): boolean {
  const suppressed = suppressions?.some(({ status }) => status !== "rejected" && status !== "underReview");
  return !suppressed && kind !== "pass" && kind !== "notApplicable";
}

function fromSarif({ ruleId, rule, level, message, locations }: SarifResult): LintIssue {
  const at = locations?.[0]?.physicalLocation;
  return {
    file: plainLine(at?.artifactLocation?.uri ?? "", TEXT_CHARS_MAX),
    line: at?.region?.startLine ?? null,
    column: at?.region?.startColumn ?? null,
    severity: level === "error" ? "error" : level === "note" || level === "none" ? "note" : "warning",
    rule: ruleOf(ruleId ?? rule?.id),
    message: plainLine(message?.text ?? message?.markdown ?? "", TEXT_CHARS_MAX),
  };
}

const ruleOf = (rule: string | null | undefined): string | null => (rule ? plainLine(rule, RULE_CHARS_MAX) : null);
