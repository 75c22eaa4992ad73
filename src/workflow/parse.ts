// Parses a workflow file into its definition. Reports all mistakes in its shape at once.
import { exceedsBytes } from "../schema/byte-length.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { checkWorkflow } from "./check.ts";
import {
  type Edge,
  isRecord,
  type Role,
  WORKFLOW_BYTES_MAX,
  WORKFLOW_VERSION,
  type Workflow,
  type WorkflowError,
  workflowTooLarge,
} from "./definition.ts";
import { type Include, readYaml } from "./read-yaml.ts";

export type ParsedWorkflow = { readonly workflow: Workflow; readonly warnings: readonly string[] };

export type ParseOptions = {
  /** Name of the file without its extension, or of the folder of an index file. If null, any name is accepted. */
  readonly stem: string | null;
  readonly include?: Include;
};

/** The maximum number of listed mistakes. Any others are only counted in the message. */
const ERRORS_MAX = 200;
/** Otherwise, 200 mistakes in a file with thousands of roles would produce megabytes. */
const LEGAL_MAX = 50;

/** Fails with `workflow_invalid`; `details.errors` lists the mistakes, up to `ERRORS_MAX`. */
export function parseWorkflow(text: string, { stem, include }: ParseOptions): Result<ParsedWorkflow> {
  if (exceedsBytes(text, WORKFLOW_BYTES_MAX)) return { ok: false, problem: workflowTooLarge() };
  const value = readYaml(text, include ?? null);
  if (!value.ok) return value;
  return readWorkflow(value.value, stem);
}

/** For a workflow that is already parsed, such as a stored one. */
export function readWorkflow(value: unknown, stem: string | null): Result<ParsedWorkflow> {
  const errors: WorkflowError[] = [];
  const warnings: string[] = [];
  const workflow = readShape(value, errors, warnings);
  if (workflow) errors.push(...checkWorkflow(workflow, stem));
  const [first] = errors;
  if (!workflow || first) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    const shown = errors
      .slice(0, ERRORS_MAX)
      .map((one) => (one.legal ? { ...one, legal: one.legal.slice(0, LEGAL_MAX) } : one));
    return fail("workflow_invalid", `${first?.path}: ${first?.what}${more}`, { errors: shown });
  }
  return ok({ workflow, warnings });
}

/** Returns null if so much is missing that other checks would only report the same mistakes. */
function readShape(value: unknown, errors: WorkflowError[], warnings: string[]): Workflow | null {
  if (!isRecord(value)) {
    errors.push({ path: "(file)", what: "must be a mapping with name, roles and graph" });
    return null;
  }
  const version = readVersion(value.version, errors, warnings);
  const name = text(value, "name", "name", errors, "filled");
  const description = text(value, "description", "description", errors);
  const roles = mapping(value.roles, "roles", errors, readRole);
  const graph = mapping(value.graph, "graph", errors, (node, path, found) => mapping(node, path, found, readEdge));
  return roles && graph ? { version, name, description, roles, graph } : null;
}

function readVersion(value: unknown, errors: WorkflowError[], warnings: string[]): number {
  if (value === undefined) {
    warnings.push(`version: is missing; read as ${WORKFLOW_VERSION}.`);
    return WORKFLOW_VERSION;
  }
  if (Number.isSafeInteger(value)) return value as number;
  errors.push({ path: "version", what: "must be a whole number", legal: [String(WORKFLOW_VERSION)] });
  return WORKFLOW_VERSION;
}

type Read<T> = (value: unknown, path: string, errors: WorkflowError[]) => T | null;

function mapping<T>(value: unknown, path: string, errors: WorkflowError[], read: Read<T>): Record<string, T> | null {
  if (!isRecord(value)) {
    errors.push({ path, what: value === undefined ? "is missing" : "must be a mapping" });
    return null;
  }
  const entries = Object.entries(value).map(([key, one]) => [key, read(one, `${path}.${key}`, errors)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, T & {}] => entry[1] !== null));
}

const readRole: Read<Role> = (value, path, errors) => {
  if (!isRecord(value)) {
    errors.push({ path, what: "must be a mapping" });
    return null;
  }
  if (!isRecord(value.frontmatter))
    errors.push({ path: `${path}.frontmatter`, what: "must be a JSON Schema of the role's output" });
  return {
    description: text(value, "description", path, errors),
    goal: text(value, "goal", path, errors, "present"),
    capabilities: readCapabilities(value.capabilities, `${path}.capabilities`, errors),
    prepare: text(value, "prepare", path, errors),
    procedure: text(value, "procedure", path, errors),
    output: text(value, "output", path, errors),
    frontmatter: isRecord(value.frontmatter) ? value.frontmatter : {},
  };
};

function readCapabilities(value: unknown, path: string, errors: WorkflowError[]): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  errors.push({ path, what: "must be a list of strings" });
  return [];
}

const readEdge: Read<Edge> = (value, path, errors) => {
  if (!isRecord(value)) {
    errors.push({ path, what: "must be a mapping with role and prompt" });
    return null;
  }
  const role = text(value, "role", path, errors, "filled");
  const prompt = text(value, "prompt", path, errors, "filled");
  const location =
    value.location === undefined || value.location === null ? null : text(value, "location", path, errors);
  return { role, prompt, location };
};

/** A missing optional field becomes an empty string. `present` allows an empty string, `filled` does not. */
function text(
  record: Record<string, unknown>,
  key: string,
  path: string,
  errors: WorkflowError[],
  need: "optional" | "present" | "filled" = "optional",
): string {
  const value = record[key];
  const at = path === key ? key : `${path}.${key}`;
  if (value === undefined || value === null) {
    if (need !== "optional") errors.push({ path: at, what: "is missing" });
    return "";
  }
  if (typeof value !== "string") {
    errors.push({ path: at, what: "must be a string" });
    return "";
  }
  if (need === "filled" && value.trim() === "") errors.push({ path: at, what: "is blank" });
  return value;
}
