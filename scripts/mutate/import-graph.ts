// Finds the test files that import a source file, directly or indirectly, and how far away they are. It reads the
// import statements of files and does not resolve packages.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Maps each file to the files that import it, as paths relative to the root. */
export function readImporters(root: string): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{src,test,machines}/**/*.{ts,tsx}", { cwd: root })) {
    for (const [, target = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const imported = join(dirname(file), target);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** Returns the fast test files that reach `file`, nearest first. */
export function relatedTests(importers: ReadonlyMap<string, readonly string[]>, file: string): readonly string[] {
  const distances = new Map([[file, 0]]);
  for (const [current, distance] of distances)
    for (const importer of importers.get(current) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  const tests = [...distances.keys()].filter((path) => path.endsWith(".test.ts") && !path.endsWith(".slow.test.ts"));
  const rank = (path: string): number => (distances.get(path) ?? 0) - commonFolders(path, file) * 2;
  return tests.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** Tests mirror the sources, so folders below `test/` match those below `src/`. */
function commonFolders(test: string, source: string): number {
  const folders = dirname(source).split("/").slice(1);
  const own = dirname(test).split("/").slice(1);
  let count = 0;
  while (count < folders.length && folders[count] === own[count]) count += 1;
  return count;
}
