// What a search engine needs of a place with files, and how an adapter is given one.
import type { Result } from "../schema/problem.ts";
import type { SearchOperations } from "./operations.ts";

export type TreeFile = {
  readonly path: string;
  /** The same, seen from where the walk started; the bare name if it started at this very file. */
  readonly relative_path: string;
  /** To be called before the next file is asked for. At most `limit` bytes from the beginning; null if it cannot be read (gone, refused, not a regular file). */
  read(limit: number): Promise<{ readonly bytes: Uint8Array; readonly size: number } | null>;
};

export type WalkOptions = {
  /** Whether to go into this folder, named as seen from where the walk started. */
  enter(relativePath: string): boolean;
  /** Asked often, also in the middle of a huge folder: true ends the walk. */
  stop(): boolean;
};

export interface FileTree {
  /** Regular files at or below the path, in order of name within a folder, folders after files. Links are left out. */
  walk(path: string, walk: WalkOptions): Promise<Result<AsyncIterable<TreeFile>>>;
}

/** Adapters do not know each other: whoever wires them hands the engine over as this function. */
export type SearchEngine = (tree: FileTree) => SearchOperations;
