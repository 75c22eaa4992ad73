// Defines what a sign-in to an MCP server leaves behind, and where it is stored.
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

export type McpGrant = {
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  /** The authorization server of the sign-in. Tokens are refreshed only there. */
  readonly discovery: OAuthDiscoveryState | null;
};

export type McpGrantStore = {
  /** Returns null if nobody has signed in. */
  readonly read: () => Promise<McpGrant | null>;
  readonly write: (grant: McpGrant) => Promise<void>;
};
