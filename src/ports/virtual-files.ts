// Defines the files of one thread on a host without a disk: a map from path to bytes, stored by the host.
import type { Result } from "../schema/problem.ts";

export interface VirtualFiles {
  /** Returns null if there is no such file. */
  get(path: string): Promise<Result<Uint8Array | null>>;
  put(path: string, bytes: Uint8Array): Promise<Result<void>>;
  /** Deletes a file. Succeeds if there is no such file. */
  delete(path: string): Promise<Result<void>>;
  /** Lists all files, in any order. */
  list(): Promise<Result<readonly { readonly path: string; readonly size: number }[]>>;
}
