// Emulates the AWS extension next to a function, which serves secrets by id to callers with the function's token.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type SecretsExtension = {
  /** The environment of a function that uses the extension. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => void;
};

/** Starts the extension. `secret` is called for every request; null means that it is unavailable. */
export async function startSecretsExtension(
  token: string,
  id: string,
  secret: () => object | null,
): Promise<SecretsExtension> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const asked = url.pathname === "/secretsmanager/get" && url.searchParams.get("secretId") === id;
    const allowed = request.headers["x-aws-parameters-secrets-token"] === token;
    const found = asked && allowed ? secret() : null;
    response.writeHead(found ? 200 : 400, { "content-type": "application/json" });
    response.end(found ? JSON.stringify({ Name: id, SecretString: JSON.stringify(found) }) : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const env = {
    PAWL_SECRET_ID: id,
    PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: String(port),
    AWS_SESSION_TOKEN: token,
  };
  return { env, close: () => void server.close() };
}
