// The problem pages in a function, which are stored with the files of the console beside the code.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../../schema/problem.ts";
import { readProblemPage } from "../node/problem-pages.ts";

const FOLDER = join(import.meta.dirname, "console/problems");

/** In a custom bundle the package's own pages may exist. */
export const bundledProblemPage = (code: ProblemCode): Promise<string | null> =>
  readFile(join(FOLDER, `${code}.md`), "utf8").catch(() => readProblemPage(code));
