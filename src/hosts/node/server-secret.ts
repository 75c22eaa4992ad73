// The secret by which this server knows its own links: from the environment, or a file in the data folder, made once.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";

const FILE = "secret";
const CHARS_MIN = 32;

export function serverSecret(folder: string, env: Environment): Result<string> {
  const given = env.PAWL_SECRET;
  if (given) {
    if (given.length >= CHARS_MIN) return ok(given);
    return fail("config_invalid", `PAWL_SECRET: must have at least ${CHARS_MIN} characters.`);
  }
  const path = join(folder, FILE);
  try {
    return readSecret(path) ?? makeSecret(path);
  } catch (error) {
    return fail("config_invalid", `${FILE}: cannot be read or written: ${(error as Error).message}`);
  }
}

function readSecret(path: string): Result<string> | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text.length >= CHARS_MIN ? ok(text) : fail("config_invalid", `${path}: is no secret; remove the file.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Written aside and linked: of several processes that start together one wins, and nobody reads half a file. */
function makeSecret(path: string): Result<string> {
  const aside = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  writeFileSync(aside, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(aside);
  }
  const made = readSecret(path);
  if (!made) throw new Error("it was removed while it was made");
  return made;
}
