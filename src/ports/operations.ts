// What tools may do in a workspace: files, search, processes. Paths are untrusted text relative to the workspace's root: every
// adapter confines them itself and returns `path_outside_workspace` for all others.
import type { Result } from "../schema/problem.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export type FileStat = {
  readonly path: string;
  readonly kind: EntryKind;
  /** Bytes of a file, 0 for everything else. */
  readonly size: number;
  /** Milliseconds since the epoch; null if it is not recorded. */
  readonly modified_at: number | null;
  /** The path after resolving links, where there are links. */
  readonly real?: string;
};

export type ReadRange = {
  /** First byte, 0 by default. An offset beyond the end is allowed and returns no bytes. */
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
  /** The size of the whole file, so that a reader can see what is missing. */
  readonly size: number;
};

export type WrittenFile = {
  readonly path: string;
  readonly size: number;
  readonly created: boolean;
  /** False if the file already contained exactly these bytes. */
  readonly changed: boolean;
};

export type FolderEntry = { readonly name: string; readonly kind: EntryKind; readonly size: number };
export type FolderListing = {
  readonly path: string;
  /** Sorted by name (by UTF-16 code unit). */
  readonly entries: readonly FolderEntry[];
  /** True if there are more than `limit`. */
  readonly truncated: boolean;
};

export type FileChange = (before: Uint8Array | null, real?: string) => Result<Uint8Array>;

export interface FileOperations {
  stat(path: string): Promise<Result<FileStat>>;
  read(path: string, range?: ReadRange): Promise<Result<FileSlice>>;
  /** Atomic; missing folders are created. A replaced file keeps its mode. */
  write(path: string, content: Uint8Array): Promise<Result<WrittenFile>>;
  /**
   * Reads, changes and writes atomically: of two concurrent rewrites of a path the second sees the result of the first. `before`
   * is null if there is no file. If `change` fails, the file is unchanged and its problem is returned. `real` is the path after
   * resolving links, where there are links.
   */
  rewrite(path: string, change: FileChange): Promise<Result<WrittenFile>>;
  /** Removes files only, not folders. */
  remove(path: string): Promise<Result<void>>;
  /** At most 1,000 entries by default. */
  list(path: string, options?: { readonly limit?: number }): Promise<Result<FolderListing>>;
}

/** Why a search ended before it had searched everything. */
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
  /** Counts from 1. */
  readonly line: number;
  /** The line without its line ending; a long line is shortened around the match. */
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
    /** Files that were searched only in part: too large, or with a line that is too long. */
    readonly partial: number;
  };
  readonly stopped: SearchStop | null;
};

/** Bounded in files, bytes, matches and time, and linear in the text for every pattern. Links are not followed. */
export interface SearchOperations {
  find(query: FindQuery): Promise<Result<FindReport>>;
  grep(query: GrepQuery): Promise<Result<GrepReport>>;
}

export type ProcessCommand = {
  /** The command line for the shell named by `shell`. */
  readonly command: string;
  /** A folder of the workspace, its root by default. */
  readonly folder?: string;
  /** Whether it may use the network. Without a sandbox, commands always can. */
  readonly network?: boolean;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
  /** Standard input; without it there is none. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Called with every chunk of output; the process waits while the promise is pending. */
  readonly onOutput?: (chunk: OutputChunk) => void | Promise<void>;
};
export type OutputChunk = { readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array };

export const OUTPUT_HEAD_BYTES = 262_144;
export const OUTPUT_TAIL_BYTES = 65_536;
export type CapturedOutput = {
  /** Both streams in order of arrival: the first 256 KB, and the last 64 KB of the rest. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes between head and tail that were dropped. */
  readonly omitted: number;
  /** Size and SHA-256 cover the complete output. */
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
  /** Processes of this command that could not be killed: normally 0. */
  readonly survivors: number;
  /** Orphaned processes that started meanwhile: whether this command started them cannot be known. Omitted: 0. */
  readonly unaccounted?: number;
};

export interface ProcessOperations {
  readonly shell: "bash" | "sh";
  /** True if commands run in a sandbox: then they have no network unless `network` is set. */
  readonly sandboxed?: boolean;
  /** No process started by the command outlives this call. A failing command is a report, not a problem. */
  run(command: ProcessCommand): Promise<Result<ProcessReport>>;
}

/** What the host knows about the place where commands run, before any command runs. */
export type CommandPlaces = {
  /** The workspace as an absolute path. */
  readonly workspace: string;
  /** Absolute paths that no command may read or change. */
  readonly closed: readonly string[];
  /** True if commands run in a sandbox: then they have no network unless a call asks for it. */
  readonly sandboxed: boolean;
};

export type Operations = {
  readonly files: FileOperations;
  readonly search: SearchOperations;
  /** null if the host cannot run commands; the shell tool is then not offered. */
  readonly process: ProcessOperations | null;
};
