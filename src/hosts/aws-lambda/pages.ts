// Reads the problem pages in a function, where they are stored with the console's files beside the code.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../../schema/problem.ts";
import { readProblemPage } from "../node/problem-pages.ts";

const FOLDER = join(import.meta.dirname, "console/problems");

/** Reads a page of the bundle. A custom bundle may contain the package's own pages instead. */
export const bundledProblemPage = (code: ProblemCode): Promise<string | null> =>
  readFile(join(FOLDER, `${code}.md`), "utf8").catch(() => readProblemPage(code));
