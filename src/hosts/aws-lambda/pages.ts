// Reads the problem pages on Lambda. The bundle contains them beside the code, together with the console's files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../../schema/problem.ts";
import { readProblemPage } from "../node/problem-pages.ts";

const FOLDER = join(import.meta.dirname, "console/problems");

/** Reads a page of the bundle, or of the package itself if a custom bundle has no pages of its own. */
export const bundledProblemPage = (code: ProblemCode): Promise<string | null> =>
  readFile(join(FOLDER, `${code}.md`), "utf8").catch(() => readProblemPage(code));
