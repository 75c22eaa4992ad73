// Defines a language server that the operator configured. It reads the workspace and answers questions; its proposals are never written.
import type { Result } from "../../schema/problem.ts";
import type { ProcessOperations } from "../operations.ts";

/** A position in a file. `line` and `character` count from 0; `character` counts UTF-16 code units. */
export type TextPosition = { readonly line: number; readonly character: number };
export type TextRange = { readonly start: TextPosition; readonly end: TextPosition };
export type TextEdit = { readonly range: TextRange; readonly new_text: string };
/** A range in a file. `path` is relative to the workspace, or absolute outside of it. */
export type CodePlace = { readonly path: string; readonly range: TextRange };
export type CodeIssue = {
  readonly range: TextRange;
  readonly severity: "error" | "warning" | "note";
  readonly code: string | null;
  readonly message: string;
};

export type CodeQuestion =
  | { readonly kind: "definition" | "references" | "hover"; readonly at: TextPosition }
  | { readonly kind: "rename"; readonly at: TextPosition; readonly new_name: string }
  | { readonly kind: "diagnostics" };
export type CodeAnswer =
  | { readonly kind: "places"; readonly places: readonly CodePlace[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "issues"; readonly issues: readonly CodeIssue[] }
  | {
      readonly kind: "edits";
      readonly files: readonly { readonly path: string; readonly edits: readonly TextEdit[] }[];
    };

export type CodeFile = { readonly path: string; readonly text: string; readonly language: string };
export type Asking = {
  /** Runs the server in the sandbox of commands, with their environment. */
  readonly process: ProcessOperations;
  /** The absolute path of the workspace. */
  readonly root: string;
  readonly file: CodeFile;
  readonly question: CodeQuestion;
  readonly signal: AbortSignal;
};

export interface LanguageServer {
  /** Answers a question. The first one starts the server, which keeps running. Questions are answered one at a time. */
  ask(asking: Asking): Promise<Result<CodeAnswer>>;
  close(): Promise<void>;
}
