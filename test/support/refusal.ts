// Reads Pawl's code from the body of a refusal in the form of any protocol.
type Refusal = {
  readonly code?: string;
  readonly error?: {
    readonly code: string | number;
    /** An object for MCP, and a list of details for A2A. */
    readonly data?: { readonly code: string } | readonly [{ readonly metadata: { readonly code: string } }];
  };
};

export function codeOfRefusal(body: unknown): string | number | undefined {
  const { code, error } = body as Refusal;
  if (!error?.data) return error?.code ?? code;
  return "code" in error.data ? error.data.code : error.data[0].metadata.code;
}
