// Defines what the tools of this folder share: the choice of a source, the judgement of a statement, and the audit
// line.
import type { DataSources, NamedSource, Rows } from "../../ports/data/data-source.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";

export const DATA_MANIFEST: Partial<Omit<Manifest, "input" | "output" | "name" | "description">> = {
  toolset: "data",
  category: "data",
  permission: "READ",
  scope: "NETWORK",
  effect: "pure",
  // The main process has the credentials, and the data in a database is not trusted.
  route: "main-process-proxy",
  output_trust: "untrusted",
  needs_parts: ["data"],
  tags: ["database"],
};

export const sourcesOf = ({ sources }: DataSources, { agent }: ToolContext): readonly NamedSource[] =>
  sources.filter(({ agents }) => agents === null || agents.includes(agent));

export const noSource = (name: string): Failed =>
  fail("source_not_found", `No data source named "${name.slice(0, 64)}" is granted to this agent.`);

export type Attempt = { readonly tool: string; readonly source: NamedSource; readonly context: ToolContext };

/** Runs `work` and reports the attempt to `onAttempt`, even if `work` throws. */
export async function audited<T>(
  { onAttempt }: DataSources,
  { tool, source, context }: Attempt,
  work: () => Promise<Result<T>>,
  rowsOf: (value: T) => number,
): Promise<Result<T>> {
  const started = context.now();
  let code = "internal";
  let rows: number | null = null;
  try {
    const result = await work();
    code = result.ok ? "allowed" : String(result.problem.details?.code ?? result.problem.code);
    rows = result.ok ? rowsOf(result.value) : null;
    return result;
  } finally {
    const { tenant, thread, agent } = context;
    onAttempt?.({ tenant, thread, agent, tool, source: source.name, code, rows, duration_ms: context.now() - started });
  }
}

type Statement = { readonly source: NamedSource; readonly sql: string; readonly max_rows: number };

/** Judges a statement and runs it. Only SQL that the judge has printed is sent to the server. */
export async function readJudged(
  { judge }: DataSources,
  { source, sql, max_rows }: Statement,
  context: ToolContext,
): Promise<Result<Rows>> {
  const judged = await judge(sql, source);
  if (!judged.ok) return judged;
  return source.source.read(judged.value, { max_rows, timeout_ms: source.timeout_ms, signal: context.signal });
}

export const renderRows = ({ columns, rows, truncated }: Rows): string => {
  const lines = [columns, ...rows].map((row) => row.map((cell) => JSON.stringify(cell)).join(" | "));
  return `${lines.join("\n")}\n(${rows.length} rows${truncated ? ", there are more" : ""})`;
};
