// Defines what the operator configured for tools that work on code.
export type LintSettings = {
  readonly command: string;
  readonly format: "sarif" | "eslint";
  /** False if the operator knows that the command loads no plugins or settings from the workspace. */
  readonly loads_workspace_code: boolean;
};

export type LspSettings = {
  /** The command that starts the server. It runs in the workspace and communicates over its standard streams. */
  readonly command: string;
  /** Maps file extensions without a dot to the server's names for their languages. */
  readonly languages: Readonly<Record<string, string>>;
  /** False if the operator knows that the server runs no program and loads no plugin from the workspace. */
  readonly loads_workspace_code: boolean;
};

export type CodeSettings = { readonly lint: LintSettings | null; readonly lsp: LspSettings | null };
