// The pages about problems in a function: all of them in one file beside the code, read when somebody first asks.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../schema/problem.ts";
import { readProblemPage } from "./problem-pages.ts";

/** Written by the bundler. */
export const PROBLEMS_FILE = "problems.json";

let pages: Promise<Readonly<Record<string, string>> | null> | null = null;

export async function bundledProblemPage(code: ProblemCode): Promise<string | null> {
  pages ??= readFile(join(import.meta.dirname, PROBLEMS_FILE), "utf8").then(JSON.parse, () => null);
  const read = await pages;
  // Not bundled by our script: then perhaps the package's own pages are there.
  return read === null ? readProblemPage(code) : (read[code] ?? null);
}
