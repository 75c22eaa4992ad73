// Shows the granted tables of a source, or one of them with its columns, indexes and keys.
import * as z from "zod";
import type { DataSources, NamedSource, TableInfo } from "../../ports/data/data-source.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { findTable, grantsOf, readGrantedTables, shownName } from "./granted-tables.ts";
import { auditedRead, DATA_MANIFEST, SourceName } from "./sources.ts";

const Shown = z.object({
  table: z.string(),
  comment: z.string(),
  columns: z.array(
    z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), comment: z.string(), masked: z.boolean() }),
  ),
  primary_key: z.array(z.string()),
  indexes: z.array(z.object({ name: z.string(), unique: z.boolean(), columns: z.array(z.string()) })),
  foreign_keys: z.array(z.object({ column: z.string(), references: z.string() })),
});
const Output = z.object({
  tables: z.array(z.object({ table: z.string(), comment: z.string() })),
  details: Shown.nullable(),
});
type Output = z.infer<typeof Output>;

export const schema = (data: DataSources): Tool =>
  defineTool(
    {
      ...DATA_MANIFEST,
      name: "mysql_schema",
      description: "List the tables of a source, or show the columns, indexes and keys of one table.",
      input: z.object({
        source: SourceName,
        table: z.string().min(1).max(130).optional().describe("a table of the source; without it all are listed"),
      }),
      output: Output,
      examples: [{ arguments: { source: "shop", table: "orders" }, result: null }],
    },
    async ({ source: name, table }, context) => {
      const rowsOf = ({ tables, details }: Output) => tables.length + (details ? 1 : 0);
      const attempt = { data, tool: "mysql_schema", name, context, rowsOf };
      const shown = await auditedRead(attempt, async (source): Promise<Result<Output>> => {
        const tables = await readGrantedTables(source, context);
        if (!tables.ok) return tables;
        const found = table === undefined ? null : findTable(source, tables.value, table);
        if (found === undefined) return fail("source_not_found", `The table ${table} is not granted.`);
        if (found) return ok({ tables: [], details: describe(source, found) });
        const list = tables.value.map((one) => ({ table: shownName(source, one), comment: one.comment }));
        return ok({ tables: list, details: null });
      });
      return shown.ok ? shown.value : shown;
    },
  );

function describe(source: NamedSource, table: TableInfo): z.infer<typeof Shown> {
  const grants = grantsOf(source);
  return {
    table: shownName(source, table),
    comment: table.comment,
    columns: table.columns.map((column) => ({ ...column, masked: grants.isMasked(column.name, [table]) })),
    primary_key: [...(table.indexes.find(({ name }) => name === "PRIMARY")?.columns ?? [])],
    indexes: table.indexes.map((index) => ({ ...index, columns: [...index.columns] })),
    foreign_keys: [...table.foreign_keys],
  };
}
