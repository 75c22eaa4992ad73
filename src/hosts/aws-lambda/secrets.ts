// Reads keys from AWS Secrets Manager through AWS's extension, which needs no SDK, caches them and supports rotation.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";

const DEFAULT_PORT = "2773";
const TIMEOUT_MS = 5_000;

/** A secret is a JSON object whose fields are environment variables. */
const Secret = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string());
const SecretResponse = z.object({ SecretString: z.string() });

/** Adds the fields of the secret that PAWL_SECRET_ID names to the environment. */
export async function withSecrets(env: Environment): Promise<Result<Environment>> {
  const id = env.PAWL_SECRET_ID;
  if (!id) return ok(env);
  const port = env.PARAMETERS_SECRETS_EXTENSION_HTTP_PORT ?? DEFAULT_PORT;
  try {
    const response = await fetch(`http://localhost:${port}/secretsmanager/get?secretId=${encodeURIComponent(id)}`, {
      headers: { "X-Aws-Parameters-Secrets-Token": env.AWS_SESSION_TOKEN ?? "" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return secretUnreadable(`Secrets Manager answered ${response.status}`);
    const secret = Secret.safeParse(JSON.parse(SecretResponse.parse(await response.json()).SecretString));
    // The message must not contain any part of the secret.
    if (!secret.success) return secretUnreadable("the secret is not one JSON object of texts named like variables");
    return ok({ ...env, ...secret.data });
  } catch (error) {
    return secretUnreadable(error instanceof Error ? error.name : "it cannot be read");
  }
}

const secretUnreadable = (why: string) => fail("config_invalid", `PAWL_SECRET_ID: ${why}.`);
