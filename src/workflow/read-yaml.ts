// Reads YAML from untrusted files and replies: no alias bombs, no duplicate keys, no custom types except `!include`.
import { parseDocument } from "yaml";
import { fail, ok, type Result } from "../schema/problem.ts";

/** Reads a file next to the workflow file. Absent where there are no files, such as in an HTTP request. */
export type Include = (path: string) => Result<string>;

/** A file that refers to itself many times would otherwise grow to gigabytes. */
const ALIASES_MAX = 100;
const INCLUDE_TAG = "!include";

export function readYaml(text: string, include: Include | null = null): Result<unknown> {
  const problems: string[] = [];
  const customTags = [
    {
      tag: INCLUDE_TAG,
      resolve: (path: string) => {
        const included = readIncluded(path, include);
        if (included.ok) return included.value;
        problems.push(included.problem.message);
        return null;
      },
    },
  ];
  try {
    const document = parseDocument(text, { customTags, prettyErrors: true, logLevel: "silent" });
    problems.push(...document.errors.map(({ message }) => message.split("\n")[0] ?? message));
    problems.push(...document.warnings.filter(isUnknownTag).map(({ message }) => message.split("\n")[0] ?? message));
    if (problems.length > 0) return fail("workflow_invalid", problems.join(" "), { problems });
    return ok(document.toJS({ maxAliasCount: ALIASES_MAX }));
  } catch (error) {
    // The library throws for an alias bomb and for an alias without an anchor.
    const tooMany = error instanceof ReferenceError && error.message.startsWith("Excessive alias");
    return tooMany
      ? fail("workflow_too_large", "The file repeats its anchors too often.")
      : fail("workflow_invalid", `The file is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isUnknownTag = ({ code }: { readonly code: string }): boolean => code === "TAG_RESOLVE_FAILED";

function readIncluded(path: string, include: Include | null): Result<unknown> {
  if (!include) return fail("workflow_invalid", `${INCLUDE_TAG} ${path}: files cannot be included here.`);
  if (path.startsWith("/") || path.includes("\\") || path.includes(":") || path.split("/").includes(".."))
    return fail("workflow_invalid", `${INCLUDE_TAG} ${path}: only files below the folder of the workflow.`);
  const text = include(path);
  if (!text.ok) return text;
  return /\.(json|ya?ml)$/.test(path) ? readYaml(text.value) : text;
}
