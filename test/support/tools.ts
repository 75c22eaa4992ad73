// Provides small tools for tests: one of each effect class, and one that always fails.
import { z } from "zod";
import { fail } from "../../src/schema/problem.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";

export const look: Tool = defineTool(
  { name: "look", description: "Looks at a thing.", input: z.object({ at: z.string() }), output: z.string() },
  ({ at }) => `seen ${at}`,
);

/** Creates a tool that appends its effect to the ledger with its idempotency key. */
export function createWriteTool(
  ledger: string[],
  facts: { name?: string; effect?: "keyed" | "unkeyed"; confirm?: boolean } = {},
): Tool {
  return defineTool(
    {
      name: facts.name ?? "write",
      description: "Writes a line.",
      permission: "WRITE",
      effect: facts.effect ?? "keyed",
      requires_confirmation: facts.confirm ?? true,
      input: z.object({ line: z.string() }),
      output: z.string(),
    },
    ({ line }, { idempotency_key }) => {
      if (line === "forbidden") return fail("tool_refused", "That line is forbidden.");
      const entry = `${idempotency_key}:${line}`;
      if (!ledger.includes(entry)) ledger.push(entry);
      return `wrote ${line}`;
    },
  );
}

export const throwingTool: Tool = defineTool(
  { name: "broken", description: "Always throws.", input: z.object({ n: z.number().optional() }), output: z.string() },
  () => {
    throw new Error("out of order");
  },
);

export const clarify: Tool = defineTool(
  {
    name: "clarify",
    description: "Asks the user.",
    asks: true,
    input: z.object({
      question: z.string(),
      choices: z.array(z.string()).max(4).optional(),
      default: z.string().optional(),
      expires_in_s: z.number().optional(),
    }),
    output: z.string(),
  },
  () => "never runs",
);
