// Lists the sources that the agent may read, without any details of the connection.
import * as z from "zod";
import type { DataSources } from "../../ports/data/data-source.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { DATA_MANIFEST, sourcesOf } from "./sources.ts";

export const listSources = (data: DataSources): Tool =>
  defineTool(
    {
      ...DATA_MANIFEST,
      name: "mysql_list_sources",
      description: "List the databases that you may read.",
      // The operator wrote the names and descriptions.
      output_trust: "trusted",
      input: z.object({}),
      output: z.array(z.object({ source: z.string(), description: z.string(), masks_columns: z.boolean() })),
      examples: [{ arguments: {}, result: '[{"source":"shop","description":"Orders","masks_columns":true}]' }],
    },
    (_input, context) =>
      sourcesOf(data, context).map(({ name, description, masked }) => ({
        source: name,
        description,
        masks_columns: masked.length > 0,
      })),
  );
