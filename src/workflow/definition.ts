// Defines a role workflow: roles that take turns on one task, and a graph that says which role follows which result.
import { type Problem, problem } from "../schema/problem.ts";

/** Pseudo-nodes of the graph, and the status with which any role can suspend. None of them can name a role. */
export const START = "$START";
export const END = "$END";
export const SUSPEND = "$SUSPEND";
/** `__proto__` is reserved, too, because it would be lost where names are keys of objects. */
export const RESERVED_NAMES: readonly string[] = [START, END, SUSPEND, "__proto__"];
/** The statuses of `$START`: a new thread, and a thread that is resumed after its end. */
export const START_STATUSES: readonly string[] = ["new", "resume"];
/** The field of a role's output that selects the next edge. */
export const STATUS_FIELD = "$status";
/** The Markdown text of the last step, available to templates in addition to the fields of its output. */
export const BODY_VARIABLE = "_body";

/** Limits names, because they are part of the state of a thread, which is limited in size. */
export const NAME_CHARS_MAX = 128;

export const WORKFLOW_VERSION = 1;
export const WORKFLOW_BYTES_MAX = 262_144;
export const workflowTooLarge = (): Problem =>
  problem("workflow_too_large", `A workflow file has at most ${WORKFLOW_BYTES_MAX / 1024} KB.`);

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Role = {
  readonly description: string;
  readonly goal: string;
  /** Hints for people and models. They are not names of tools. */
  readonly capabilities: readonly string[];
  readonly prepare: string;
  readonly procedure: string;
  readonly output: string;
  /** JSON Schema of the frontmatter that the role delivers. */
  readonly frontmatter: JsonSchema;
};

export type Edge = {
  /** A role, or `$END`. */
  readonly role: string;
  /** Liquid template over the last output. */
  readonly prompt: string;
  /** Liquid template of the folder to work in. Null if there is none. */
  readonly location: string | null;
};

export type Workflow = {
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly roles: Readonly<Record<string, Role>>;
  readonly graph: Readonly<Record<string, Readonly<Record<string, Edge>>>>;
};

/** All mistakes of a file are reported together. */
export type WorkflowError = {
  /** The place of the mistake, such as `graph.critic.feedback.role`. */
  readonly path: string;
  readonly what: string;
  /** The values that would be accepted there, if the list is short. */
  readonly legal?: readonly string[];
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
