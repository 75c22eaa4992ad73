// Reads the reports of linters: SARIF 2.1 and the JSON of ESLint.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";

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
const cut = (text: string): string => text.slice(0, TEXT_CHARS_MAX);
const Position = z.number().int().nullish();

const Eslint = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: z.string().nullish(),
        severity: z.number(),
        message: z.string(),
        line: Position,
        column: Position,
      }),
    ),
  }),
);

const Sarif = z.object({
  runs: z.array(
    z.object({
      results: z
        .array(
          z.object({
            ruleId: z.string().nullish(),
            level: z.string().nullish(),
            message: z.object({ text: z.string().optional() }),
            locations: z
              .array(
                z.object({
                  physicalLocation: z
                    .object({
                      artifactLocation: z.object({ uri: z.string().optional() }).optional(),
                      region: z.object({ startLine: Position, startColumn: Position }).optional(),
                    })
                    .optional(),
                }),
              )
              .optional(),
          }),
        )
        .nullish(),
    }),
  ),
});

export function readFindings(format: ReportFormat, text: string): Result<readonly LintIssue[]> {
  const json = readJson(text);
  const read = format === "eslint" ? Eslint.safeParse(json) : Sarif.safeParse(json);
  if (!read.success)
    return fail("tool_refused", `The linter printed no ${format} report: ${cut(text.trim()) || "nothing"}`);
  return ok(
    format === "eslint"
      ? fromEslint(read.data as z.infer<typeof Eslint>)
      : fromSarif(read.data as z.infer<typeof Sarif>),
  );
}

/** Programs print notes around their report. */
function readJson(text: string): unknown {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  try {
    return JSON.parse(text.slice(Math.max(0, start), end + 1));
  } catch {
    return null;
  }
}

const fromEslint = (files: z.infer<typeof Eslint>): readonly LintIssue[] =>
  files.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, severity, message, line, column }) => ({
      file: cut(filePath),
      line: line ?? null,
      column: column ?? null,
      severity: severity >= 2 ? ("error" as const) : ("warning" as const),
      rule: ruleId ?? null,
      message: cut(message),
    })),
  );

const fromSarif = ({ runs }: z.infer<typeof Sarif>): readonly LintIssue[] =>
  runs.flatMap(({ results }) =>
    (results ?? []).map(({ ruleId, level, message, locations }) => {
      const at = locations?.[0]?.physicalLocation;
      return {
        file: cut(at?.artifactLocation?.uri ?? ""),
        line: at?.region?.startLine ?? null,
        column: at?.region?.startColumn ?? null,
        severity: level === "error" || level === "note" ? level : ("warning" as const),
        rule: ruleId ?? null,
        message: cut(message.text ?? ""),
      };
    }),
  );
