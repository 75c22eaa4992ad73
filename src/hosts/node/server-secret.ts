// The secret that signs this server's links: from the environment, or from a file that the first start creates.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";
import { isLinkSecret, readLinkSecret } from "../shared/secret-variables.ts";

const FILE = "secret";

export function loadServerSecret(folder: string, env: Environment): Result<string> {
  const configured = readLinkSecret(env);
  if (!configured.ok) return configured;
  if (configured.value !== null) return ok(configured.value);
  const path = join(folder, FILE);
  try {
    return readSecret(path) ?? createSecretFile(path);
  } catch (error) {
    return fail("config_invalid", `${FILE}: cannot be read or written: ${(error as Error).message}`);
  }
}

function readSecret(path: string): Result<string> | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return isLinkSecret(text) ? ok(text) : fail("config_invalid", `${path}: is not a valid secret. Remove the file.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** If several processes start together, one of them creates the file, and none reads an incomplete one. */
function createSecretFile(path: string): Result<string> {
  const temporaryPath = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  writeFileSync(temporaryPath, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporaryPath);
  }
  const secret = readSecret(path);
  if (!secret) throw new Error("the secret was removed while it was created");
  return secret;
}
