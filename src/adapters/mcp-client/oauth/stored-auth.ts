// Authenticates requests to an MCP server with OAuth, without a person: with the tokens of an earlier sign-in, which are
// refreshed, or with credentials of the program itself.
import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { McpClientSdk } from "../sdk.ts";
import type { McpGrant, McpGrantStore } from "./grant.ts";

/** Thrown if the server has refused a request because of its token, so the request has no effect. */
export class NotAuthenticated extends Error {}

type OnUnauthorized = NonNullable<AuthProvider["onUnauthorized"]>;
type UnauthorizedContext = Parameters<OnUnauthorized>[0];

type StoredAuth = {
  readonly sdk: McpClientSdk;
  readonly store: McpGrantStore;
  /** What a person has to do to sign in, for example a command to run. */
  readonly how: string;
};

export function storedAuth({ sdk, store, how }: StoredAuth): AuthProvider {
  let sent: string | undefined;

  const refresh = async (context: UnauthorizedContext): Promise<void> => {
    const grant = await store.read();
    // Another process may have refreshed the tokens since this request was sent.
    if (grant && grant.tokens.access_token !== sent) return;
    if (!grant?.tokens.refresh_token) throw new NotAuthenticated(how);
    try {
      await authenticate(sdk, refreshOnly(grant, store, how), context);
    } catch (error) {
      // Servers accept a refresh token once. If another process has used it first, it is about to store the result.
      if (!(await waitForNewTokens(store, grant))) throw error;
    }
  };

  return {
    async token() {
      sent = (await store.read())?.tokens.access_token;
      return sent;
    },
    onUnauthorized: oneAtATime(refresh),
  };
}

/** Requests of this process that are refused at the same time wait for the same token request. */
function oneAtATime(refresh: OnUnauthorized): OnUnauthorized {
  let running: Promise<void> | null = null;
  return (context) => {
    running ??= refresh(context).finally(() => {
      running = null;
    });
    return running;
  };
}

const STORED_WITHIN_MS = 1_000;
const CHECK_MS = 100;

async function waitForNewTokens(store: McpGrantStore, { tokens }: McpGrant): Promise<boolean> {
  for (let waited = 0; waited <= STORED_WITHIN_MS; waited += CHECK_MS) {
    const current = await store.read();
    if (current && current.tokens.access_token !== tokens.access_token) return true;
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
  return false;
}

export type ClientCredentials = {
  readonly client_id: string;
  readonly client_secret: string;
  /** The authorization server that may receive the secret. */
  readonly issuer: string;
  readonly scope: string | undefined;
};

export function credentialsAuth(
  sdk: McpClientSdk,
  { client_id, client_secret, issuer, scope }: ClientCredentials,
): AuthProvider {
  const provider = new sdk.ClientCredentialsProvider({
    clientId: client_id,
    clientSecret: client_secret,
    expectedIssuer: issuer,
    clientName: "Pawl",
    ...(scope !== undefined && { scope }),
  });
  return {
    token: async () => provider.tokens()?.access_token,
    onUnauthorized: oneAtATime((context) => authenticate(sdk, provider, context)),
  };
}

async function authenticate(
  sdk: McpClientSdk,
  provider: OAuthClientProvider,
  { response, serverUrl, fetchFn }: UnauthorizedContext,
): Promise<void> {
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
  try {
    await sdk.auth(provider, {
      serverUrl,
      fetchFn,
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    });
  } catch (error) {
    if (error instanceof NotAuthenticated) throw error;
    throw new NotAuthenticated(`the token request failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Provides a grant to the SDK for a refresh. Everything that would begin a new sign-in fails. */
function refreshOnly(grant: McpGrant, store: McpGrantStore, how: string): OAuthClientProvider {
  let rejected = false;
  return {
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => grant.client,
    tokens: () => (rejected ? undefined : grant.tokens),
    saveTokens: (tokens) => store.write({ ...grant, tokens: { ...grant.tokens, ...tokens } }),
    discoveryState: () => grant.discovery ?? undefined,
    // The stored tokens are kept, because another process may have refreshed them already.
    invalidateCredentials: () => {
      rejected = true;
    },
    redirectToAuthorization: () => {
      throw new NotAuthenticated(how);
    },
    saveCodeVerifier: () => undefined,
    codeVerifier: () => "",
  };
}
