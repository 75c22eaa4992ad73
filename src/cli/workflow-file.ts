// Finds and reads the workflow file that a command names, either by its path or by its name in a `.workflows` folder.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Result } from "../schema/problem.ts";
import { type ParsedWorkflow, parseWorkflow } from "../workflow/parse.ts";
import { messageOf } from "./output.ts";

const FOLDER = ".workflows";
const EXTENSIONS = [".yaml", ".yml"];

export function readWorkflowFile(named: string, from: string = process.cwd()): Result<ParsedWorkflow> {
  const path = isFile(resolve(from, named)) ? resolve(from, named) : (findByName(named, resolve(from)) ?? named);
  const text = readText(path);
  const include = (name: string): Result<string> => readText(join(dirname(path), name));
  return text.ok ? parseWorkflow(text.value, { stem: stemOf(path), include }) : text;
}

/** Searches the `.workflows` folders from `from` up to the root of the repository. The nearest folder wins. */
function findByName(name: string, from: string): string | null {
  if (!/^[\w-][\w.-]*$/.test(name)) return null;
  for (let folder = from; ; folder = dirname(folder)) {
    const names = EXTENSIONS.flatMap((extension) => [`${name}${extension}`, join(name, `index${extension}`)]);
    const found = names.map((one) => join(folder, FOLDER, one)).find(isFile);
    if (found) return found;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return null;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** An index file has the name of its folder. */
function stemOf(path: string): string {
  const stem = basename(path, extname(path));
  return stem === "index" ? basename(dirname(path)) : stem;
}

function readText(path: string): Result<string> {
  try {
    return { ok: true, value: readFileSync(path, "utf8") };
  } catch (error) {
    const message = `${path} cannot be read: ${messageOf(error)}`;
    const hint = `Check the path; a name is looked up in ${FOLDER} here and above.`;
    return { ok: false, problem: { code: "file_not_found", message, hint, retry: "after-fix", status: 404 } };
  }
}
