// What tools may do to a workspace: files, search, processes. Paths are texts below the workspace's root, never trusted:
// every adapter confines them itself and answers `path_outside_workspace` for the rest.
import type { Result } from "../schema/problem.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export type FileStat = {
  readonly path: string;
  readonly kind: EntryKind;
  /** Bytes of a file, 0 for everything else. */
  readonly size: number;
  /** Milliseconds since the epoch, null where nobody keeps it. */
  readonly modified_at: number | null;
};

export type ReadRange = {
  /** First byte, 0 by default. Beyond the end is no problem: no bytes come back. */
  readonly offset?: number;
  /** At most this many bytes, 524,288 by default and 16 MB at most. */
  readonly limit?: number;
};
export const READ_BYTES_DEFAULT = 524_288;
export const FILE_BYTES_MAX = 16_777_216;

export type FileSlice = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** Of the whole file, so that a reader knows what is missing. */
  readonly size: number;
};

export type WrittenFile = {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
  /** False if the file held exactly these bytes already. */
  readonly changed: boolean;
};

export type FolderEntry = { readonly name: string; readonly kind: EntryKind; readonly size: number };
export type FolderListing = {
  readonly path: string;
  /** In order of name (by UTF-16 code unit). */
  readonly entries: readonly FolderEntry[];
  /** True if there are more than `limit`. */
  readonly truncated: boolean;
};

export type FileChange = (before: Uint8Array | null, real?: string) => Result<Uint8Array>;

export interface FileOperations {
  stat(path: string): Promise<Result<FileStat>>;
  read(path: string, range?: ReadRange): Promise<Result<FileSlice>>;
  /** Wholly or not at all; missing folders are made. The mode of a file that is replaced stays. */
  write(path: string, content: Uint8Array): Promise<Result<WrittenFile>>;
  /**
   * Reads, changes and writes as one: of two at the same path the second sees the first one's bytes. `before` is null
   * when there is no file. A failed `change` leaves the file as it is and is the answer. `real` is where links on the
   * way lead, in a place that has links.
   */
  rewrite(path: string, change: FileChange): Promise<Result<WrittenFile>>;
  /** A file only; folders stay. */
  remove(path: string): Promise<Result<void>>;
  /** At most 1,000 entries unless told otherwise. */
  list(path: string, options?: { readonly limit?: number }): Promise<Result<FolderListing>>;
}

/** Why a search ended before it had seen everything. */
export type SearchStop = "matches" | "files" | "bytes" | "time" | "aborted";

export type FindQuery = {
  /** `*`, `?`, `[a-z]`, `{a,b}` and `**`. Without a slash it is matched against the name at any depth. */
  readonly glob: string;
  readonly under?: string;
  readonly limit?: number;
  readonly signal?: AbortSignal;
};
export type FindReport = {
  readonly paths: readonly string[];
  readonly files: number;
  readonly stopped: SearchStop | null;
};

export type GrepQuery = {
  /** RE2 syntax, matched line by line. */
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignore_case?: boolean;
  readonly under?: string;
  /** Only files that match this glob. */
  readonly include?: string;
  /** Lines shown before and after a match, 0 by default, 10 at most. */
  readonly context?: number;
  readonly limit?: number;
  readonly signal?: AbortSignal;
};
export type GrepMatch = {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Without its line ending; a long line is cut around the match. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
};
export type GrepReport = {
  readonly matches: readonly GrepMatch[];
  readonly files: number;
  readonly bytes: number;
  readonly skipped: {
    readonly binary: number;
    readonly unreadable: number;
    /** Files of which only a part was searched: too large, or with a line too long. */
    readonly partial: number;
  };
  readonly stopped: SearchStop | null;
};

/** Bounded in files, bytes, matches and time, and linear in the text whatever the pattern. Links are not followed. */
export interface SearchOperations {
  find(query: FindQuery): Promise<Result<FindReport>>;
  grep(query: GrepQuery): Promise<Result<GrepReport>>;
}

export type ProcessCommand = {
  /** For the shell named by `shell`. */
  readonly command: string;
  /** A folder of the workspace, its root by default. */
  readonly folder?: string;
  /** Whether it may use the network. Where commands run without a sandbox they always can. */
  readonly network?: boolean;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
  /** Every piece of output as it comes; the process waits while the promise is open. */
  readonly onOutput?: (chunk: OutputChunk) => void | Promise<void>;
};
export type OutputChunk = { readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array };

export const OUTPUT_HEAD_BYTES = 262_144;
export const OUTPUT_TAIL_BYTES = 65_536;
export type CapturedOutput = {
  /** Both streams as they arrived: the first 256 KB, and the last 64 KB of what follows. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes between head and tail that were not kept. */
  readonly omitted: number;
  /** Size and SHA-256 are of everything. */
  readonly size: number;
  readonly sha256: string;
};

export type ProcessExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" };
export type ProcessReport = {
  readonly end: ProcessExit;
  readonly output: CapturedOutput;
  readonly duration_ms: number;
  /** Processes of this command that could not be ended: 0 unless the system is in trouble. */
  readonly survivors: number;
};

export interface ProcessOperations {
  readonly shell: "bash" | "sh";
  /** True where commands run in a sandbox: then they have no network unless `network` says so. */
  readonly sandboxed?: boolean;
  /** Nothing that the command started outlives this call. A command that fails is a report, not a problem. */
  run(command: ProcessCommand): Promise<Result<ProcessReport>>;
}

export type Operations = {
  readonly files: FileOperations;
  readonly search: SearchOperations;
  /** null where nothing can be run; the shell tool is then not offered. */
  readonly process: ProcessOperations | null;
};
