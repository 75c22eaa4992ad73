// Stores the tokens of sign-ins to MCP servers, one file per server in the data folder, which tools and commands cannot
// read.
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { McpGrant, McpGrantStore } from "../../../adapters/mcp-client/oauth/grant.ts";

export function grantFile(data: string, name: string): McpGrantStore & { readonly remove: () => Promise<void> } {
  const path = join(data, `mcp-${name}.json`);
  return {
    async read() {
      try {
        return JSON.parse(await readFile(path, "utf8")) as McpGrant;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return null;
        throw error;
      }
    },
    async write(grant) {
      // Renamed at the end, so that another process never reads an incomplete file.
      const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
      await mkdir(data, { recursive: true });
      await writeFile(temporary, `${JSON.stringify(grant)}\n`, { mode: 0o600, flag: "wx" });
      await rename(temporary, path);
    },
    remove: () => rm(path, { force: true }),
  };
}
