// Signs a person in to an MCP server with OAuth's authorization code flow, and returns what the server granted.
import { randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Fetcher } from "../../../ports/fetcher.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { type GuardedFetch, guardedFetch } from "../guarded-fetch.ts";
import type { McpClientSdk } from "../sdk.ts";
import type { McpGrant } from "./grant.ts";

export type RegisteredClient = {
  readonly client_id: string;
  readonly client_secret?: string;
  /** The authorization server that knows the client. */
  readonly issuer?: string;
};

export type SignIn = {
  readonly sdk: McpClientSdk;
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetcher: Fetcher;
  /** A client that is registered with the authorization server. Without one, Pawl registers itself. */
  readonly client: RegisteredClient | null;
  /** Scopes to request in addition to those that the server asks for. */
  readonly scope: string | undefined;
  /** The address to which the authorization server sends the browser back. */
  readonly redirect_url: string;
  /** Shows the address to the person. Returns the parameters with which the browser came back. */
  readonly authorize: (address: URL) => Promise<URLSearchParams>;
};

const TIMEOUT_MS = 20_000;

export async function signIn(options: SignIn): Promise<Result<McpGrant>> {
  const { sdk, name, url, headers, fetcher, authorize } = options;
  const send = guardedFetch({ fetcher, url, headers, timeout_ms: TIMEOUT_MS });
  const session = createSession(options);
  const authProvider = session.provider;
  try {
    const challenge = await requestChallenge(options, send);
    const scope = sdk.computeScopeUnion(challenge.scope, options.scope);
    const { resourceMetadataUrl } = challenge;
    await sdk.auth(authProvider, {
      serverUrl: url,
      fetchFn: send,
      forceReauthorization: true,
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    });
    const { address } = session;
    if (!address) return refused(name, "it has no page for the sign-in");
    const returned = await authorize(address);
    if (returned.get("state") !== session.state) return refused(name, "the answer belongs to another sign-in");
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { fetch: send, authProvider });
    await transport.finishAuth(returned);
  } catch (error) {
    return refused(name, error instanceof Error ? error.message : String(error));
  }
  const { client, tokens, discovery } = session;
  return client && tokens ? ok({ client, tokens, discovery }) : refused(name, "it granted no token");
}

const refused = (name: string, why: string) =>
  fail("fetch_failed", `The sign-in to the MCP server ${name} failed: ${why.replace(/\.+$/, "")}.`);

type Challenge = ReturnType<McpClientSdk["extractWWWAuthenticateParams"]>;

/** Connects without a token, so that the server says how it wants to be authenticated. */
async function requestChallenge({ sdk, url, version }: SignIn, send: GuardedFetch): Promise<Challenge> {
  let challenge: Challenge = {};
  const client = new sdk.Client({ name: "pawl", version }, { versionNegotiation: { mode: "auto" } });
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    async fetch(input, init) {
      const response = await send(input, init);
      if (response.status === 401) challenge = sdk.extractWWWAuthenticateParams(response);
      return response;
    },
    authProvider: { token: async () => undefined },
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS });
  } catch (error) {
    if (!sdk.UnauthorizedError.isInstance(error)) throw error;
  } finally {
    await client.close();
  }
  return challenge;
}

type Session = {
  readonly provider: OAuthClientProvider;
  readonly state: string;
  address: URL | null;
  client: StoredOAuthClientInformation | null;
  tokens: StoredOAuthTokens | null;
  discovery: OAuthDiscoveryState | null;
};

/** Keeps the state of one sign-in in memory, in the form that the SDK requires. */
function createSession({ client, redirect_url }: SignIn): Session {
  const state = randomBytes(16).toString("base64url");
  let verifier = "";
  const provider: OAuthClientProvider = {
    redirectUrl: redirect_url,
    clientMetadata: {
      client_name: "Pawl",
      redirect_uris: [redirect_url],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(client === null && { token_endpoint_auth_method: "none" }),
    },
    state: () => state,
    clientInformation: () => session.client ?? undefined,
    saveClientInformation: (saved) => {
      session.client = saved;
    },
    tokens: () => session.tokens ?? undefined,
    saveTokens: (saved) => {
      session.tokens = saved;
    },
    discoveryState: () => session.discovery ?? undefined,
    saveDiscoveryState: (saved) => {
      session.discovery = saved;
    },
    redirectToAuthorization: (address) => {
      session.address = address;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
  const session: Session = { provider, state, address: null, client, tokens: null, discovery: null };
  return session;
}
