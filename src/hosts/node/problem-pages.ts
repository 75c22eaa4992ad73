// Reads the problem pages of the package. One folder is for a server from source, the other for built files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProblemCode } from "../../schema/problem.ts";

const FOLDERS = ["../../../docs/problems", "../docs/problems"].map((path) => join(import.meta.dirname, path));

export async function readProblemPage(code: ProblemCode): Promise<string | null> {
  for (const folder of FOLDERS) {
    const text = await readFile(join(folder, `${code}.md`), "utf8").catch(() => null);
    if (text !== null) return text;
  }
  return null;
}
