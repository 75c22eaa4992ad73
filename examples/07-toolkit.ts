// Defines your own toolkit. The stock server loads it with `extend: ["./examples/07-toolkit.ts"]` in pawl.config.
import { z } from "zod";
import { defineTool, defineToolkit } from "../src/index.ts";

const customer = defineTool(
  { name: "customer", description: "The customer of this thread.", input: z.object({}), output: z.string() },
  (_input, { metadata, agent }) => `${agent} serves customer ${metadata.customer}`,
);

export const toolkits = [defineToolkit({ name: "crm", parts: [], offered: "on request", tools: () => [customer] })];

export const agents = { clerk: { instructions: "You serve one customer.", toolkits: ["crm"] } };
