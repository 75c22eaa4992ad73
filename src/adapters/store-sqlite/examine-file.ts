// Finds out without opening a data file whether this release can use it. SQLite would create files beside it, and wait
// for a server that uses it.
import { open } from "node:fs/promises";
import { ok, type Result } from "../../schema/problem.ts";
import { unavailable } from "./failures.ts";
import { checkVersion } from "./migrations.ts";

/** The header of SQLite's file format: https://www.sqlite.org/fileformat.html. */
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const USER_VERSION_AT = 60;

/** A file that is missing or empty is usable, because the start creates its content. */
export async function examineFile(path: string): Promise<Result<unknown>> {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = await open(path, "r");
    try {
      const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
      if (bytesRead === 0) return ok(null);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? ok(null) : unavailable(message);
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return unavailable("file is not a database");
  return checkVersion(header.readUInt32BE(USER_VERSION_AT));
}
