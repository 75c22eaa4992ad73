// What tools may do in a workspace. Paths are untrusted text; adapters confine them, or return `path_outside_workspace`.
import type { Result } from "../schema/problem.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export type FileStat = {
  readonly path: string;
  readonly kind: EntryKind;
  /** Size of a file in bytes, or 0 for everything else. */
  readonly size: number;
  /** Milliseconds since the epoch. Null if the time is not recorded. */
  readonly modified_at: number | null;
  /** The path after resolving links, if the host has links. */
  readonly real?: string;
};

export type ReadRange = {
  /** First byte. Default: 0. An offset beyond the end is allowed and returns no bytes. */
  readonly offset?: number;
  /** Maximum number of bytes. Default: 524,288; at most 16 MB. */
  readonly limit?: number;
};
export const READ_BYTES_DEFAULT = 524_288;
export const FILE_BYTES_MAX = 16_777_216;

export type FileSlice = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** The size of the whole file, so that a reader can see how much is missing. */
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
  /** Entries sorted by name (by UTF-16 code unit). */
  readonly entries: readonly FolderEntry[];
  /** True if there are more than `limit` entries. */
  readonly truncated: boolean;
};

export type FileChange = (before: Uint8Array | null, real?: string) => Result<Uint8Array>;

export interface FileOperations {
  stat(path: string): Promise<Result<FileStat>>;
  read(path: string, range?: ReadRange): Promise<Result<FileSlice>>;
  /** Writes a file atomically and creates missing folders. A replaced file keeps its mode. */
  write(path: string, content: Uint8Array): Promise<Result<WrittenFile>>;
  /**
   * Reads, changes and writes a file atomically: of two concurrent rewrites of a path, the second sees the result of the first. `before` is null if
   * there is no file. If `change` fails, the file is unchanged and its problem is returned. `real` is the path after resolving links, if the host
   * has links.
   */
  rewrite(path: string, change: FileChange): Promise<Result<WrittenFile>>;
  remove(path: string): Promise<Result<void>>;
  /** Lists a folder. Default limit: 1,000 entries. */
  list(path: string, options?: { readonly limit?: number }): Promise<Result<FolderListing>>;
}

export type SearchStop = "matches" | "files" | "bytes" | "time" | "aborted";

export type FindQuery = {
  /** Supports `*`, `?`, `[a-z]`, `{a,b}` and `**`. A pattern without a slash is matched against the name at any depth. */
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
  /** A pattern in RE2 syntax, matched line by line. */
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignore_case?: boolean;
  readonly under?: string;
  /** Limits the search to files that match this glob. */
  readonly include?: string;
  /** Number of lines shown before and after a match. Default: 0; at most 10. */
  readonly context?: number;
  readonly limit?: number;
  readonly signal?: AbortSignal;
};
export type GrepMatch = {
  readonly path: string;
  /** The line number, starting at 1. */
  readonly line: number;
  /** The line without its line ending. A long line is shortened around the match. */
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
    /** Number of files that were searched only in part because they are too large or have a line that is too long. */
    readonly partial: number;
  };
  readonly stopped: SearchStop | null;
};

/** Searches the workspace. Bounded in files, bytes, matches and time, and linear in the text for every pattern. Links are not followed. */
export interface SearchOperations {
  find(query: FindQuery): Promise<Result<FindReport>>;
  grep(query: GrepQuery): Promise<Result<GrepReport>>;
}

export type ProcessCommand = {
  /** The command line for the shell named by `shell`. */
  readonly command: string;
  /** A folder of the workspace. Default: its root. */
  readonly folder?: string;
  /** True if the command may use the network. Without a sandbox, commands always may. */
  readonly network?: boolean;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
  /** Standard input. If absent, there is none. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Called with every chunk of output. The process waits while the promise is pending. */
  readonly onOutput?: (chunk: OutputChunk) => void | Promise<void>;
};
export type OutputChunk = { readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array };

export const OUTPUT_HEAD_BYTES = 262_144;
export const OUTPUT_TAIL_BYTES = 65_536;
export type CapturedOutput = {
  /** Both streams in order of arrival. `head` has the first 256 KB, and `tail` the last 64 KB of the rest. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Number of bytes between head and tail that were dropped. */
  readonly omitted: number;
  /** Size and SHA-256 of the complete output. */
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
  /** Number of processes of this command that could not be killed. Normally 0. */
  readonly survivors: number;
  /** Number of orphaned processes that started in the meantime and may or may not belong to this command. Default: 0. */
  readonly unaccounted?: number;
};

export interface ProcessOperations {
  readonly shell: "bash" | "sh";
  /** True if commands run in a sandbox. They then have no network unless `network` is set. */
  readonly sandboxed?: boolean;
  /** Runs a command. No process that it starts outlives this call. A failing command is a report, not a problem. */
  run(command: ProcessCommand): Promise<Result<ProcessReport>>;
}

/** The facts that the host knows about the place where commands run, before any command has run. */
export type CommandPlaces = {
  /** The absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute paths that no command may read or change. */
  readonly closed: readonly string[];
  /** True if commands run in a sandbox. They then have no network unless a call requests it. */
  readonly sandboxed: boolean;
};

export type Operations = {
  readonly files: FileOperations;
  readonly search: SearchOperations;
  /** Null if the host cannot run commands. The shell tool is then not offered. */
  readonly process: ProcessOperations | null;
};
