// Tests that the requests of one process share a token request. The tests of `pawl mcp login` use a real server.
import { describe, expect, test } from "vitest";
import type { McpGrant } from "../../src/adapters/mcp-client/oauth/grant.ts";
import { credentialsAuth, storedAuth } from "../../src/adapters/mcp-client/oauth/stored-auth.ts";
import type { McpClientSdk } from "../../src/adapters/mcp-client/sdk.ts";

const context = {
  response: new Response(null, { status: 401 }),
  serverUrl: new URL("https://notes.example/mcp"),
  fetchFn: fetch,
} as never;

/** Replaces the part of the SDK that asks for tokens. Each token request ends when the test calls `answer`. */
function createTokenRequests() {
  const waiting: (() => void)[] = [];
  let count = 0;
  const sdk = {
    extractWWWAuthenticateParams: () => ({}),
    async auth(provider: { saveTokens?: (tokens: object) => unknown }) {
      count += 1;
      const token = { access_token: `token ${count}`, token_type: "Bearer" };
      await new Promise<void>((resolve) => void waiting.push(resolve));
      await provider.saveTokens?.(token);
      return "AUTHORIZED";
    },
    ClientCredentialsProvider: class {
      tokens() {
        return undefined;
      }
    },
  } as unknown as McpClientSdk;
  const answer = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const end of waiting.splice(0)) end();
  };
  return { sdk, answer, count: () => count };
}

describe("requests of one process that are refused at the same time", () => {
  test("refresh the stored tokens once, and the next refusal refreshes them again", async () => {
    const requests = createTokenRequests();
    let grant = { tokens: { access_token: "old", refresh_token: "r", token_type: "Bearer" } } as unknown as McpGrant;
    const store = {
      read: async () => grant,
      write: async (next: McpGrant) => {
        grant = next;
      },
    };
    const auth = storedAuth({ sdk: requests.sdk, store: store as never, how: "sign in" });
    for (const round of [1, 2]) {
      await auth.token();
      const refused = [1, 2, 3].map(() => auth.onUnauthorized?.(context));
      await requests.answer();
      await Promise.all(refused);
      expect(requests.count()).toBe(round);
      expect(await auth.token()).toBe(`token ${round}`);
    }
  });

  test("ask once for tokens of the program itself", async () => {
    const requests = createTokenRequests();
    const credentials = { client_id: "a", client_secret: "b", issuer: "https://auth.example", scope: undefined };
    const auth = credentialsAuth(requests.sdk, credentials);
    const refused = [1, 2, 3].map(() => auth.onUnauthorized?.(context));
    await requests.answer();
    await Promise.all(refused);
    expect(requests.count()).toBe(1);
  });
});
