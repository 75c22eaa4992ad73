// Keys from Secrets Manager, through the extension that AWS puts beside a function: no SDK, cached, rotated by itself.
import { z } from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";

const DEFAULT_PORT = "2773";
const WAIT_MS = 5_000;

/** One JSON object whose fields stand for environment variables. */
const Secret = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string());
const Answer = z.object({ SecretString: z.string() });

/** The environment with the fields of the secret that PAWL_SECRET_ID names; unchanged without one. */
export async function withSecrets(env: Environment): Promise<Result<Environment>> {
  const id = env.PAWL_SECRET_ID;
  if (!id) return ok(env);
  const port = env.PARAMETERS_SECRETS_EXTENSION_HTTP_PORT ?? DEFAULT_PORT;
  try {
    const response = await fetch(`http://localhost:${port}/secretsmanager/get?secretId=${encodeURIComponent(id)}`, {
      headers: { "X-Aws-Parameters-Secrets-Token": env.AWS_SESSION_TOKEN ?? "" },
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (!response.ok) return unreadable(`Secrets Manager answered ${response.status}`);
    const secret = Secret.safeParse(JSON.parse(Answer.parse(await response.json()).SecretString));
    // What is in it must not be told, not even in part.
    if (!secret.success) return unreadable("the secret is not one JSON object of texts named like variables");
    return ok({ ...env, ...secret.data });
  } catch (error) {
    return unreadable(error instanceof Error ? error.name : "it cannot be read");
  }
}

const unreadable = (why: string) => fail("config_invalid", `PAWL_SECRET_ID: ${why}.`);
