// Defines the toolkit for read-only queries on databases that the operator configures.
import { defineToolkit } from "../../tools/toolkit.ts";
import { listSources } from "./list-sources.ts";
import { query } from "./query.ts";
import { schema } from "./schema.ts";
import { tableSample } from "./table-sample.ts";

export const data = defineToolkit({
  name: "data",
  parts: ["data"],
  offered: "on request",
  tools: (parts) => [listSources(parts.data), schema(parts.data), tableSample(parts.data), query(parts.data)],
});
