// Runs the linter from the configuration. The operator chose the command, and the agent cannot change it.
import * as z from "zod";
import type { LintSettings } from "../../ports/data/code-settings.ts";
import { fail } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { LintIssue, readFindings } from "./findings.ts";
import { finished, processOf, runsWorkspaceCode } from "./run-program.ts";

const TIMEOUT_MS = 120_000;
const FINDINGS_MAX = 200;
const Output = z.object({ findings: z.array(LintIssue), total: z.int() });

export const lint = (operations: OperationsFor, settings: LintSettings): Tool =>
  defineTool(
    {
      name: "lint",
      description: "Check the code of the workspace with the configured linter.",
      toolset: "code",
      category: "code",
      permission: "EXTERNAL",
      scope: "LOCAL_STATE",
      // Running the linter again changes nothing. But it may load plugins and settings from the workspace, and so run
      // its code, which needs approval.
      effect: "pure",
      requires_confirmation: runsWorkspaceCode(operations, settings),
      output_trust: "untrusted",
      outward: runsWorkspaceCode(operations, settings),
      timeout_ms: TIMEOUT_MS + 10_000,
      needs_parts: ["process"],
      tags: ["workspace", "code"],
      prompt_hint: "after changes of code; correct what it finds.",
      input: z.object({
        file: z.string().max(1_024).optional().describe("show only findings in paths with this text"),
      }),
      output: Output,
      render: renderFindings,
      examples: [{ arguments: {}, result: "1 finding\nsrc/app.ts:3:7 error no-unused-vars: 'x' is never used." }],
    },
    async ({ file = "" }, context) => {
      const process = processOf(operations, context);
      if (!process.ok) return process;
      const { command, format } = settings;
      const report = await process.value.run({ command, timeout_ms: TIMEOUT_MS, signal: context.signal });
      const ran = finished(report, "The linter");
      if (!ran.ok) return ran;
      if (ran.value.cut) return fail("tool_refused", "The report is larger than 320 KB. Lint fewer files at once.");
      const read = readFindings(format, ran.value.text);
      if (!read.ok) return read;
      const found = read.value.filter((finding) => finding.file.includes(file));
      return { findings: found.slice(0, FINDINGS_MAX), total: found.length };
    },
  );

function renderFindings({ findings, total }: z.infer<typeof Output>): string {
  const lines = findings.map(
    ({ file, line, column, severity, rule, message }) =>
      `${file}:${line ?? "?"}:${column ?? "?"} ${severity} ${rule ?? "-"}: ${message}`,
  );
  const more = total > findings.length ? [`… and ${total - findings.length} more`] : [];
  return [`${total} ${total === 1 ? "finding" : "findings"}`, ...lines, ...more].join("\n");
}
