// What the operator configured for tools that work on code.
export type LintSettings = {
  /** The command, which runs in the workspace. */
  readonly command: string;
  readonly format: "sarif" | "eslint";
  /** False: the operator knows that the command loads no plugins or settings of the workspace. */
  readonly loads_workspace_code: boolean;
};

export type LspSettings = {
  /** The command that starts the server. It runs in the workspace and speaks over its standard streams. */
  readonly command: string;
  /** File extensions without a dot, and the server's name of the language of such files. */
  readonly languages: Readonly<Record<string, string>>;
  /** False: the operator knows that the server runs no program and loads no plugin of the workspace. */
  readonly loads_workspace_code: boolean;
};

export type CodeSettings = { readonly lint: LintSettings | null; readonly lsp: LspSettings | null };
