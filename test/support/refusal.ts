// Pawl's code in the body of a refusal, in the form of any protocol.
type Refusal = {
  readonly code?: string;
  readonly error?: {
    readonly code: string | number;
    /** Of MCP an object, of A2A a list of details. */
    readonly data?: { readonly code: string } | readonly [{ readonly metadata: { readonly code: string } }];
  };
};

export function codeOfRefusal(body: unknown): string | number | undefined {
  const { code, error } = body as Refusal;
  if (!error?.data) return error?.code ?? code;
  return "code" in error.data ? error.data.code : error.data[0].metadata.code;
}
