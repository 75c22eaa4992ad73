// Reads YAML from untrusted files and replies. Rejects alias bombs, deep nesting, duplicate or structured keys, and custom types except `!include`.
import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { fail, ok, type Result } from "../schema/problem.ts";
import { isNestedDeeply } from "../schema/yaml-nesting.ts";
import { isRecord, type WorkflowError } from "./definition.ts";

/** A file next to the workflow file. Absent if there are no files, as in an HTTP request. */
export type Include = (path: string) => Result<string>;

/** Limits aliases. A file that refers to itself many times would otherwise grow to gigabytes. */
const ALIASES_MAX = 100;
const INCLUDE_TAG = "!include";
const INCLUDE_DEPTH_MAX = 8;
const ERRORS_MAX = 20;

/** Fails with `workflow_invalid`; `details.errors` lists all errors. `folder` is that of the file, relative to that of the workflow. */
export function readYaml(text: string, include: Include | null = null, folder = "", depth = 0): Result<unknown> {
  if (isNestedDeeply(text)) return invalid(["is nested too deeply"]);
  const refused: string[] = [];
  const customTags = [
    {
      tag: INCLUDE_TAG,
      resolve: (path: string) => {
        const included = readIncluded(path, include, folder, depth);
        if (included.ok) return included.value;
        refused.push(included.problem.message);
        return null;
      },
    },
  ];
  try {
    const lines = new LineCounter();
    // `uniqueKeys` would compare every key with every other one, so `wrongKeys` finds duplicates instead.
    const options = { customTags, merge: true, uniqueKeys: false, lineCounter: lines, logLevel: "error" } as const;
    const document = parseDocument(text, options);
    const messages = [...document.errors, ...document.warnings.filter(isUnknownTag)].map(messageOf);
    const keys = messages.length > 0 ? [] : wrongKeys(document, lines);
    const problems = [...refused, ...messages.map((message) => message.split("\n")[0] ?? message), ...keys];
    if (problems.length > 0) return invalid(problems);
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    return isJson(value) ? ok(value) : invalid(["has a value that JSON does not have, such as .nan, a date or a set"]);
  } catch (error) {
    // The library throws for an alias bomb and for an alias without an anchor.
    const tooMany = error instanceof ReferenceError && error.message.startsWith("Excessive alias");
    if (tooMany) return fail("workflow_too_large", "The file repeats its anchors too often.");
    return invalid([`is not YAML: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function invalid(problems: readonly string[]): Result<never> {
  const errors: readonly WorkflowError[] = problems.slice(0, ERRORS_MAX).map((what) => ({ path: "(file)", what }));
  return fail("workflow_invalid", problems.slice(0, ERRORS_MAX).join(" "), { errors });
}

/** A nested key is not printed, because that takes a time that doubles with each level. */
function wrongKeys(document: Document, lines: LineCounter): readonly string[] {
  const wrong: string[] = [];
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const at = lines.linePos((key as { range?: [number] } | null)?.range?.[0] ?? 0).line;
        if (!isScalar(key)) wrong.push(`line ${at}: a key must be a string`);
        else if (seen.has(String(key.value))) wrong.push(`line ${at}: the key ${String(key.value)} is there twice`);
        else seen.add(String(key.value));
      }
      return isMap(map) && wrong.length >= ERRORS_MAX ? visit.BREAK : undefined;
    },
  });
  return wrong;
}

/** Only values that JSON can represent are accepted, because they are stored as JSON. */
function isJson(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (!isRecord(value)) return value === null || typeof value === "boolean";
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.entries(value).every(([key, one]) => key.isWellFormed() && isJson(one));
}

/** The library's message names one of its functions, which means nothing to the author of the file. */
const messageOf = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === "MULTIPLE_DOCS" ? "has more than one document" : message;

const isUnknownTag = ({ code }: { readonly code: string }): boolean => code === "TAG_RESOLVE_FAILED";

/** Paths are relative to the file that includes them. */
function readIncluded(path: string, include: Include | null, folder: string, depth: number): Result<unknown> {
  if (!include) return fail("workflow_invalid", `${INCLUDE_TAG} ${path}: files cannot be included here.`);
  if (path.startsWith("/") || path.includes("\\") || path.includes(":") || path.split("/").includes(".."))
    return fail(
      "workflow_invalid",
      `${INCLUDE_TAG} ${path}: only files below the folder of the workflow can be included.`,
    );
  if (depth >= INCLUDE_DEPTH_MAX) return fail("workflow_invalid", `${INCLUDE_TAG} ${path}: files include each other.`);
  const file = `${folder}${path}`;
  const text = include(file);
  if (!text.ok) return text;
  if (!/\.(json|ya?ml)$/i.test(path)) return text;
  return readYaml(text.value, include, file.slice(0, file.lastIndexOf("/") + 1), depth + 1);
}
