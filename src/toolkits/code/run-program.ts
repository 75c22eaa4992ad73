// Runs a program of this toolkit through the process operations and returns its output as text.
import type { ProcessOperations, ProcessReport } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";

/** Quotes any text as one word of a shell command. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function processOf(operations: OperationsFor, context: ToolContext): Result<ProcessOperations> {
  const { process } = operations(context);
  return process ? ok(process) : fail("process_unavailable", "There is nothing here that could run a program.");
}

/** A program may load plugins from the workspace. Without a sandbox, their code has all rights of the server. */
export const runsWorkspaceCode = (
  operations: OperationsFor,
  { loads_workspace_code }: { readonly loads_workspace_code: boolean },
): boolean => loads_workspace_code !== false || operations.places?.sandboxed !== true;

export type Finished = { readonly code: number; readonly text: string; readonly cut: boolean };

/** Refuses a program that was stopped, because its output is incomplete. */
export function finished(report: Result<ProcessReport>, name: string): Result<Finished> {
  if (!report.ok) return report;
  const { end, output } = report.value;
  if (end.kind !== "exited") return fail("tool_refused", `${name} did not finish: ${end.kind}.`);
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const gap = output.omitted > 0 ? `\n… ${output.omitted} bytes left out …\n` : "";
  return ok({ code: end.code, text: decode(output.head) + gap + decode(output.tail), cut: output.omitted > 0 });
}
