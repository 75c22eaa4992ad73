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
    /** A judge with weight 0 is for information only. */
    weight: z.number().min(0).default(0),
    builtin: z.boolean().default(false),
    /** A program that prints `{"score": 0..1, "data": …}` as its last line. The path is relative to the task. */
    entry: z.string().min(1).optional(),
    /**
     * A JSON Schema of the data that a program or a model returns with its score. The judge fails if the data do not
     * match.
     */
    data: z.record(z.string(), z.unknown()).refine(isJsonSchema, "is not a JSON Schema that can be checked").optional(),
    /** The scoring instructions for a judgement by a model, which runs as the default agent or as `agent`. */
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
        /** Names of tools that must have a receipt of a successful call, and of tools that must have none. */
        receipts: z.array(z.string()).optional(),
        no_receipts: z.array(z.string()).optional(),
        /** Texts that the last answer must contain. */
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
  /** The name of a stored workflow. Without it, an agent runs directly. */
  workflow: z.string().optional(),
  agent: z.string().optional(),
  mode: z.enum(["direct", "plan"]).default("direct"),
  /** Toolkits besides those of the agent. */
  toolkits: z.array(z.string()).default([]),
  prompt: z.string().min(1),
  /** The answer to gates of plans and calls. Without it, the run ends at the first one. */
  confirm: z.enum(["approve", "reject"]).optional(),
  /** Answers to questions and suspended roles, in order. The run ends at one without an answer. */
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

/** Throws an error with a message for the terminal. Everything is checked before the run, so that no mistake wastes a run. */
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
