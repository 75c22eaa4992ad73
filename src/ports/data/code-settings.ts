// What the operator configured for tools that work on code.
export type LintSettings = {
  /** Run in the workspace. */
  readonly command: string;
  readonly format: "sarif" | "eslint";
  /** False: the operator knows that the command loads no plugins or settings of the workspace. */
  readonly loads_workspace_code: boolean;
};

export type CodeSettings = { readonly lint: LintSettings | null };
