// Defines what a search engine needs from a file tree, and how an adapter receives the engine.
import type { Result } from "../schema/problem.ts";
import type { SearchOperations } from "./operations.ts";

export type TreeFile = {
  readonly path: string;
  /** The path relative to the start of the walk, or the bare name if the walk started at this file. */
  readonly relative_path: string;
  /** Returns at most the first `limit` bytes, or null if the file cannot be read. Must be called before the next file is requested. */
  read(limit: number): Promise<{ readonly bytes: Uint8Array; readonly size: number } | null>;
};

export type WalkOptions = {
  /** Returns whether to descend into this folder. The path is relative to the start of the walk. */
  enter(relativePath: string): boolean;
  /** Returns true to end the walk. Called often, even inside a huge folder. */
  stop(): boolean;
};

export interface FileTree {
  /** Iterates over the regular files at or below the path, sorted by name within a folder, folders after files. Links are skipped. */
  walk(path: string, walk: WalkOptions): Promise<Result<AsyncIterable<TreeFile>>>;
}

/** Creates the search operations of a file tree. The host passes this function, because adapters must not import each other. */
export type SearchEngine = (tree: FileTree) => SearchOperations;
