// Defines an eval task, a file that specifies what to run, within which limits, and how to judge the result.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { readYamlFile } from "./read-yaml-file.ts";

export const BUILTIN_JUDGES = ["frontmatter-compliance", "evidence", "token-stats", "expected-state"] as const;
export type BuiltinJudge = (typeof BUILTIN_JUDGES)[number];
const KNOWN_JUDGES: readonly string[] = [...BUILTIN_JUDGES, "model"];

const Judge = z
  .strictObject({
    name: z.string().min(1),
    /** The weight in the overall score. A judge with weight 0 is only for information. */
    weight: z.number().min(0).default(0),
    builtin: z.boolean().default(false),
    /** The path of a program that prints `{"score": 0..1, "data": …}` as its last line, relative to the task file. */
    entry: z.string().min(1).optional(),
    /** A JSON Schema for the data of a score. If they do not match, the judge fails. */
    data: z.record(z.string(), z.unknown()).refine(isJsonSchema, "is not a JSON Schema that can be checked").optional(),
    /** The scoring instructions for a model. The model is that of `agent`, or of the default agent. */
    rubric: z.string().min(1).optional(),
    agent: z.string().min(1).optional(),
    /** The expectations of the judge `expected-state`. */
    expect: z
      .strictObject({
        outcome: z.string().optional(),
        /** The status of a workflow, such as `end` or `suspended`. */
        status: z.string().optional(),
        evidence: z.string().nullable().optional(),
        evidence_kind: z.string().nullable().optional(),
        /** Names of tools of which a successful call must have a receipt, and of which none may have one. */
        receipts: z.array(z.string()).optional(),
        no_receipts: z.array(z.string()).optional(),
        /** Strings that the last answer must contain. */
        says: z.array(z.string()).optional(),
        /** The maximum number of the model's replies that needed a correction. */
        corrections_max: z.int().min(0).optional(),
      })
      .optional(),
  })
  .refine(({ builtin, entry }) => builtin !== (entry !== undefined), "needs either builtin: true or an entry")
  .refine(
    ({ name, builtin }) => !builtin || KNOWN_JUDGES.includes(name),
    `no such judge; known: ${KNOWN_JUDGES.join(", ")}`,
  )
  .refine(
    ({ name, rubric }) => (name === "model") === (rubric !== undefined),
    "the judge model, and only it, has a rubric",
  );

const EvalTask = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(""),
  /** The name of a stored workflow. Without it, an agent works on the prompt directly. */
  workflow: z.string().optional(),
  agent: z.string().optional(),
  mode: z.enum(["direct", "plan"]).default("direct"),
  /** Toolkits that the agent gets in addition to its own. */
  toolkits: z.array(z.string()).default([]),
  prompt: z.string().min(1),
  /** The answer to all gates of plans and calls. Without it, the run ends at the first such gate. */
  confirm: z.enum(["approve", "reject"]).optional(),
  /** The answers to questions and suspended roles, in order. If there is no answer left, the run ends at the gate. */
  answers: z.array(z.string()).default([]),
  limits: z
    .strictObject({ max_steps: z.int().min(1).default(20), timeout_minutes: z.number().positive().default(30) })
    .prefault({}),
  /** `eval run` fails if the score is below the threshold. */
  threshold: z.number().min(0).max(1).default(0),
  judges: z.array(Judge).min(1),
});
export type EvalTask = z.infer<typeof EvalTask>;
export type EvalJudge = z.infer<typeof Judge>;

/** Everything is checked before the run, so that no run is wasted on a mistake. Errors are meant for the terminal. */
export function readTask(path: string): EvalTask {
  const parsed = EvalTask.safeParse(readYamlFile(path));
  const missing = (parsed.data?.judges ?? []).flatMap(({ entry }, i) =>
    entry === undefined || existsSync(resolve(dirname(path), entry)) ? [] : [`judges.${i}.entry: there is no ${entry}`],
  );
  if (parsed.success && missing.length === 0) return parsed.data;
  const invalid = parsed.error?.issues.map((issue) => `${issue.path.join(".") || "(file)"}: ${issue.message}`);
  const issues = invalid ?? missing;
  throw new Error(`${path} is not a valid task:\n  ${issues.join("\n  ")}`);
}

function isJsonSchema(schema: Record<string, unknown>): boolean {
  try {
    z.fromJSONSchema(schema);
    return true;
  } catch {
    return false;
  }
}
