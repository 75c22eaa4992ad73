// Saves the verdicts of a run. Each is appended to a file as soon as it is known, and a later run of the same sources
// and tests reuses them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Mutant } from "./catalog.ts";
import type { Limits, Tried } from "./try-mutants.ts";

export type SavedRun = {
  readonly path: string;
  readonly tried: readonly Tried[];
  add(tried: Tried): void;
};

export function openSavedRun(root: string, mutants: readonly Mutant[], limits: Limits): SavedRun {
  const path = join(root, "node_modules/.cache/pawl-mutants", `${hashOf([sourcesOf(root), limits])}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const saved = new Map(readLines(path).map((tried) => [keyOf(tried.mutant), tried]));
  return {
    path,
    tried: mutants.flatMap((mutant) => {
      const known = saved.get(keyOf(mutant));
      return known ? [{ ...known, mutant }] : [];
    }),
    add: (tried) => appendFileSync(path, `${JSON.stringify(tried)}\n`),
  };
}

export const keyOf = ({ file, find, replace }: Mutant): string => hashOf([file, find, replace]);

const hashOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** Identifies everything that affects a verdict: the committed sources and tests, and uncommitted changes to them. */
function sourcesOf(root: string): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1e9 });
  const paths = ["src", "machines", "test", ":!test/mutants/*.json"];
  return git("ls-files", "--stage", "--", ...paths) + git("diff", "HEAD", "--", ...paths);
}

function readLines(path: string): readonly Tried[] {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Tried];
    } catch {
      // The run was ended while it wrote this line.
      return [];
    }
  });
}
