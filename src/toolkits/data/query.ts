// Runs one SELECT statement after it has been judged.
import * as z from "zod";
import type { DataSources, Rows } from "../../ports/data/data-source.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { auditedRead, DATA_MANIFEST, readJudged, renderRows, SourceName } from "./sources.ts";

export const RowsOutput = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  truncated: z.boolean(),
});

/** Returns a mutable copy, as the output schema requires. */
export const rowsOutput = ({ columns, rows, truncated }: Rows): z.infer<typeof RowsOutput> => ({
  columns: [...columns],
  rows: rows.map((row) => [...row]),
  truncated,
});

export const query = (data: DataSources): Tool =>
  defineTool(
    {
      ...DATA_MANIFEST,
      name: "mysql_query",
      description:
        "Run one SELECT on a source: joins, subqueries, WITH, aggregates and windows are possible. Masked columns and * on them are refused.",
      timeout_ms: 90_000,
      input: z.object({
        source: SourceName,
        sql: z.string().min(1).max(20_000).describe("one SELECT without comments"),
        max_rows: z.int().min(1).max(10_000).optional(),
      }),
      output: RowsOutput,
      render: renderRows,
      prompt_hint: "Look at the tables first. Name the columns instead of *.",
      examples: [
        {
          arguments: { source: "shop", sql: "SELECT status, COUNT(*) AS n FROM orders GROUP BY status" },
          result: '"status" | "n"\n"paid" | 3\n(1 rows)',
        },
      ],
    },
    async ({ source: name, sql, max_rows = Number.POSITIVE_INFINITY }, context) => {
      const attempt = { data, tool: "mysql_query", name, context, rowsOf: (value: Rows) => value.rows.length };
      const read = await auditedRead(attempt, (source) =>
        readJudged(data, { source, sql, max_rows: Math.min(max_rows, source.max_rows) }, context),
      );
      return read.ok ? rowsOutput(read.value) : read;
    },
  );
