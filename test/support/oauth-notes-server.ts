// Runs an MCP server that requires OAuth, and its authorization server, in this process. The authorization server
// registers clients, grants every sign-in, checks the code challenge, and accepts each refresh token once.
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

export type OAuthNotesServer = {
  readonly url: string;
  readonly issuer: string;
  /** What the authorization server was asked for: paths, and grants of token requests. */
  readonly requests: readonly string[];
  /** Names of headers that it received. */
  readonly headers: ReadonlySet<string>;
  readonly expireTokens: () => void;
  readonly revokeRefreshTokens: () => void;
  /** Answers no token request before the MCP server has refused this number of further requests. */
  readonly holdTokensUntilRefused: (requests: number) => void;
  /** The scope that calls require from now on. */
  readonly requireScope: (scope: string) => void;
  readonly close: () => void;
};

const CLIENT = { client_id: "notes-job", client_secret: "secret-of-the-job" };

export async function startOAuthNotesServer(): Promise<OAuthNotesServer> {
  const requests: string[] = [];
  const headers = new Set<string>();
  const codes = new Map<string, URLSearchParams>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  let required = "notes";
  let hold = { refusals: 0, released: Promise.withResolvers<void>() };

  const issue = (scope: string): object => {
    const [token, next] = [randomUUID(), randomUUID()];
    access.set(token, scope);
    refresh.set(next, scope);
    return { access_token: token, refresh_token: next, token_type: "Bearer", expires_in: 3600, scope };
  };
  const exchange = (form: URLSearchParams, basic: string | undefined): object | null => {
    const grant = form.get("grant_type");
    requests.push(String(grant));
    if (grant === "client_credentials") {
      const given = basic ?? `${form.get("client_id")}:${form.get("client_secret")}`;
      return given === `${CLIENT.client_id}:${CLIENT.client_secret}` ? issue("notes") : null;
    }
    if (grant === "refresh_token") {
      const token = form.get("refresh_token") ?? "";
      const scope = refresh.get(token);
      refresh.delete(token);
      return scope === undefined ? null : issue(scope);
    }
    const asked = codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return asked?.get("code_challenge") === challenge ? issue(asked.get("scope") ?? "") : null;
  };

  const authorization = createServer(async (request, response) => {
    for (const name of Object.keys(request.headers)) headers.add(name);
    const url = new URL(request.url ?? "/", issuer);
    requests.push(url.pathname);
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
        code_challenge_methods_supported: ["S256"],
      });
    if (url.pathname === "/register")
      return send(201, { ...JSON.parse(await bodyOf(request)), client_id: randomUUID() });
    if (url.pathname === "/authorize") {
      const code = randomUUID();
      codes.set(code, url.searchParams);
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" }));
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname !== "/token") return send(404, {});
    const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const basic = encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString();
    const tokens = exchange(new URLSearchParams(await bodyOf(request)), basic);
    if (hold.refusals > 0) await hold.released.promise;
    return tokens ? send(200, tokens) : send(400, { error: "invalid_grant" });
  });
  authorization.listen(0, "127.0.0.1");
  await once(authorization, "listening");
  const issuer = `http://127.0.0.1:${(authorization.address() as AddressInfo).port}`;

  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "notes", version: "1" });
    const Line = z.object({ line: z.string() });
    server.registerTool("add", { description: "Adds a line.", inputSchema: Line }, ({ line }) => ({
      content: [{ type: "text", text: `Added ${line}.` }],
    }));
    return server;
  });
  const resource = createServer(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    if (request.url === new URL(metadata).pathname)
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(
          JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [issuer], scopes_supported: ["notes"] }),
        );
    const scope = access.get((request.headers.authorization ?? "").replace("Bearer ", ""));
    const body = await bodyOf(request);
    if (scope === undefined) {
      const challenge = `Bearer resource_metadata="${metadata}", scope="notes"`;
      hold.refusals -= 1;
      response.writeHead(401, { "www-authenticate": challenge }).end();
      if (hold.refusals === 0) hold.released.resolve();
      return;
    }
    if (body.includes('"tools/call"') && !scope.split(" ").includes(required)) {
      const challenge = `Bearer error="insufficient_scope", scope="${required}", resource_metadata="${metadata}"`;
      return response.writeHead(403, { "www-authenticate": challenge }).end();
    }
    const answer = await handler.fetch(
      new Request(`${origin}${request.url}`, {
        method: request.method ?? "GET",
        headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        ...(body && { body }),
      }),
    );
    return response
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(Buffer.from(await answer.arrayBuffer()));
  });
  resource.listen(0, "127.0.0.1");
  await once(resource, "listening");
  return {
    url: `http://127.0.0.1:${(resource.address() as AddressInfo).port}/mcp`,
    issuer,
    requests,
    headers,
    expireTokens: () => access.clear(),
    revokeRefreshTokens: () => refresh.clear(),
    holdTokensUntilRefused: (refusals) => {
      hold = { refusals, released: Promise.withResolvers<void>() };
    },
    requireScope: (scope) => {
      required = scope;
    },
    close() {
      authorization.close();
      resource.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
