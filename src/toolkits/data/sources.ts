// Defines what the tools of this folder share: the choice of a source, the judgement of a statement, and the audit
// line.
import * as z from "zod";
import type { DataSources, NamedSource, Rows } from "../../ports/data/data-source.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { fail, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";

export const SourceName = z.string().min(1).max(64);

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

type Attempt<T> = {
  readonly data: DataSources;
  readonly tool: string;
  readonly name: string;
  readonly context: ToolContext;
  readonly rowsOf: (value: T) => number;
};

/** Reports the attempt to `onAttempt`, even if `read` throws. */
export async function auditedRead<T>(
  { data, tool, name, context, rowsOf }: Attempt<T>,
  read: (source: NamedSource) => Promise<Result<T>>,
): Promise<Result<T>> {
  const source = sourcesOf(data, context).find((one) => one.name === name);
  if (!source) return fail("source_not_found", `No data source named "${name.slice(0, 64)}" is granted to this agent.`);
  const started = context.now();
  let code = "internal";
  let rows: number | null = null;
  try {
    const result = await read(source);
    code = result.ok ? "allowed" : String(result.problem.details?.code ?? result.problem.code);
    rows = result.ok ? rowsOf(result.value) : null;
    return result;
  } finally {
    const { tenant, thread, agent } = context;
    data.onAttempt?.({ tenant, thread, agent, tool, source: name, code, rows, duration_ms: context.now() - started });
  }
}

type Statement = { readonly source: NamedSource; readonly sql: string; readonly max_rows: number };

/** Only SQL that the judge has printed is sent to the server. */
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
