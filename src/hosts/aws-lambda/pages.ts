// Reads the problem pages on Lambda. The bundle contains them beside the code, together with the console's files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../../schema/problem.ts";
import { readProblemPage } from "../node/problem-pages.ts";

const FOLDER = join(import.meta.dirname, "console/problems");

/** A custom bundle may have no pages of its own; those of the package are read then. */
export const bundledProblemPage = (code: ProblemCode): Promise<string | null> =>
  readFile(join(FOLDER, `${code}.md`), "utf8").catch(() => readProblemPage(code));
