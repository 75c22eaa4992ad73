// Reads the catalog of mutants in test/mutants/*.json: one-line defects that the tests or the simulator must notice.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Mutant = z.strictObject({
  file: z.string().startsWith("src/"),
  /** The text to replace, which occurs exactly once in the file. */
  find: z.string().min(1),
  replace: z.string(),
  what: z.string().min(1),
  /** True if the mutant is part of the fixed sample that the slow tests run. */
  sample: z.literal(true).optional(),
  /** The test file that last noticed the mutant. It is tried first. */
  noticed_by: z.string().startsWith("test/").optional(),
  /** The reason why no test notices the mutant. It is listed in docs/reference/guarantees.md. */
  survives: z.string().min(1).optional(),
});
export type Mutant = z.infer<typeof Mutant>;

const catalogFiles = (root: string): readonly string[] =>
  globSync("test/mutants/*.json", { cwd: root })
    .sort()
    .map((file) => join(root, file));
const readFile = (path: string): readonly Mutant[] => z.array(Mutant).parse(JSON.parse(readFileSync(path, "utf8")));

export const readCatalog = (root: string): readonly Mutant[] => catalogFiles(root).flatMap(readFile);

export function saveNoticedBy(root: string, { file, find, replace }: Mutant, noticed_by: string): void {
  for (const path of catalogFiles(root)) {
    const mutants = readFile(path);
    const at = mutants.findIndex((one) => one.file === file && one.find === find && one.replace === replace);
    const found = mutants[at];
    if (!found || found.noticed_by === noticed_by) continue;
    writeFileSync(path, `${JSON.stringify(mutants.with(at, { ...found, noticed_by }), null, 2)}\n`);
  }
}

/** Returns the source with the defect. Throws unless the text to replace occurs exactly once. */
export function applyMutant(source: string, { file, find, replace, what }: Mutant): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${file}: "${find}" occurs ${count} times, not once (${what})`);
  return source.replace(find, () => replace);
}

export function catalogErrors(root: string, mutants: readonly Mutant[]): readonly string[] {
  return mutants.flatMap((mutant) => {
    try {
      applyMutant(readFileSync(join(root, mutant.file), "utf8"), mutant);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
