// Lists what the MCP client uses of the official package.

/** The SDK is passed in, because the package is optional and hosts load it in different ways. */
export type McpClientSdk = Pick<
  typeof import("@modelcontextprotocol/client"),
  | "auth"
  | "Client"
  | "ClientCredentialsProvider"
  | "computeScopeUnion"
  | "extractWWWAuthenticateParams"
  | "InsufficientScopeError"
  | "isInputRequiredResult"
  | "ProtocolError"
  | "SdkError"
  | "SdkErrorCode"
  | "SdkHttpError"
  | "StreamableHTTPClientTransport"
  | "UnauthorizedError"
>;
