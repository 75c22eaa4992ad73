// Defines when an agent hands over, and to whom. The runtime enforces what it can check: the tools and the names.
import * as z from "zod";

const RULES_MAX = 16;
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\r\n]*$/, "must be one line");

export const EscalationRule = z
  .strictObject({
    when: line(400),
    /** A person, a team or a role. */
    to: line(64),
    /** If true, the agent must hand over. By default, it may. */
    must: z.boolean().default(false),
    /** Calls of these tools are refused, because `to` does that work. */
    tools: z.array(z.string().min(1)).max(64).default([]),
  })
  .refine(({ must, tools }) => must || tools.length === 0, { path: ["tools"], message: "needs must: true" });
export type EscalationRule = z.infer<typeof EscalationRule>;

export const EscalationRules = z.array(EscalationRule).max(RULES_MAX).default([]);
