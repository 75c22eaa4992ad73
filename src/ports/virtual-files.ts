// The files of one thread where there is no disk: a map from path to bytes, kept wherever the host keeps things.
import type { Result } from "../schema/problem.ts";

export interface VirtualFiles {
  /** null when there is none. */
  get(path: string): Promise<Result<Uint8Array | null>>;
  put(path: string, bytes: Uint8Array): Promise<Result<void>>;
  /** Deleting what is not there is no problem. */
  delete(path: string): Promise<Result<void>>;
  /** All of them, in any order. */
  list(): Promise<Result<readonly { readonly path: string; readonly size: number }[]>>;
}
