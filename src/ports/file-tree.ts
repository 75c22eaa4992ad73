// What a search engine needs from a file tree, and how an adapter is given one.
import type { Result } from "../schema/problem.ts";
import type { SearchOperations } from "./operations.ts";

export type TreeFile = {
  readonly path: string;
  /** The path relative to the start of the walk; the bare name if the walk started at this file. */
  readonly relative_path: string;
  /** Returns at most the first `limit` bytes; null if the file cannot be read. Must be called before the next file is requested. */
  read(limit: number): Promise<{ readonly bytes: Uint8Array; readonly size: number } | null>;
};

export type WalkOptions = {
  /** Whether to descend into this folder; the path is relative to the start of the walk. */
  enter(relativePath: string): boolean;
  /** Checked often, even inside a huge folder: true ends the walk. */
  stop(): boolean;
};

export interface FileTree {
  /** Regular files at or below the path, sorted by name within a folder, folders after files. Links are skipped. */
  walk(path: string, walk: WalkOptions): Promise<Result<AsyncIterable<TreeFile>>>;
}

/** Adapters must not import each other, so the host passes the search engine as this function. */
export type SearchEngine = (tree: FileTree) => SearchOperations;
