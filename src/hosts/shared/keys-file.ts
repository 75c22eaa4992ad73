// Reads API keys from PAWL_API_KEYS, or from a file that is read again when it changes. Plain keys are hashed immediately.
import { readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { nodeHash } from "../../adapters/hash-node.ts";
import { ApiKeyRecord, KEY_PATTERN } from "../../http/edge/api-keys.ts";
import { SCOPES } from "../../http/edge/caller.ts";
import { PARSED_ONCE } from "../../schema/config.ts";
import { LOCAL_TENANT } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

const KeysFile = z.array(ApiKeyRecord);
const HASH_PATTERN = /^[0-9a-f]{64}$/;

/**
 * Parses entries such as `name:key`, `name:tenant:key` or `name:tenant:scope+scope:key`, separated by commas. The key
 * may be replaced by `sha256:` and its hash in hex, so that reading the variable does not give access to the server.
 */
export function parseKeys(text: string): Result<readonly ApiKeyRecord[]> {
  const rows: ApiKeyRecord[] = [];
  const entries = text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  for (const [n, part] of entries.entries()) {
    const { before, sha256 } = readKey(part.split(":"));
    const [name = "", tenant = LOCAL_TENANT, scopes = SCOPES.join("+")] = before;
    // The message quotes no part of the entry: if the fields are in the wrong order, the name may be the key.
    if (sha256 === null)
      return fail(
        "config_invalid",
        `PAWL_API_KEYS: entry ${n + 1}: the key must be pawl_ followed by at least 22 letters or digits, or sha256: followed by 64 lower-case hex digits`,
      );
    const row = ApiKeyRecord.safeParse({ name, tenant, scopes: scopes.split("+"), sha256 }, PARSED_ONCE);
    if (!row.success)
      return fail(
        "config_invalid",
        `PAWL_API_KEYS: entry ${n + 1}: ${row.error.issues[0]?.path.join(".")}: ${row.error.issues[0]?.message}`,
      );
    rows.push(row.data);
  }
  return ok(rows);
}

/** Null if the last field is neither a key nor `sha256:` with a hash. */
function readKey(fields: readonly string[]): { before: readonly string[]; sha256: string | null } {
  const last = fields.at(-1) ?? "";
  if (fields.at(-2) === "sha256" && !KEY_PATTERN.test(last))
    return { before: fields.slice(0, -2), sha256: HASH_PATTERN.test(last) ? last : null };
  return { before: fields.slice(0, -1), sha256: KEY_PATTERN.test(last) ? nodeHash.sha256(last) : null };
}

/**
 * If the file becomes unreadable, the last valid rows stay in use. The warning matters, because an operator whose change
 * broke the file may believe that a removed key no longer works.
 */
export function watchKeysFile(path: string, warn: (message: string) => void): Result<() => readonly ApiKeyRecord[]> {
  // Read before the rows, so that a change in between is noticed.
  let fileVersion = readFileVersion(path);
  const first = readKeysFile(path);
  if (!first.ok) return first;
  let rows = first.value;
  return ok(() => {
    const now = readFileVersion(path);
    if (now !== fileVersion) {
      fileVersion = now;
      const read = readKeysFile(path);
      if (read.ok) rows = read.value;
      else warn(`${read.problem.message}; the keys that were read before stay in force`);
    }
    return rows;
  });
}

const readFileVersion = (path: string): string => {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch {
    return "gone";
  }
};

function readKeysFile(path: string): Result<readonly ApiKeyRecord[]> {
  try {
    const rows = KeysFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (rows.success) return ok(rows.data);
    const issue = rows.error.issues[0];
    return fail("config_invalid", `keys_file: ${issue?.path.join(".")}: ${issue?.message}`);
  } catch (error) {
    return fail(
      "config_invalid",
      `keys_file: cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
