// Creates the local token, which is valid for one start, if a server without keys can start processes. The token is
// kept in a file for the terminal.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createLocalToken, type LocalToken } from "../../http/edge/local-token.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Extension, mayStartProcesses } from "../shared/extension.ts";

/**
 * The part that all built-in tools which start processes need. A host that can run such tools lists it among its parts.
 */
const PROCESS_PART = "process";

export const canStartProcesses = ({ config }: Pick<Runtime, "config">, extensions: readonly Extension[]): boolean =>
  (config.parts?.includes(PROCESS_PART) ?? false) || extensions.some(mayStartProcesses);

/** Returns null if API keys determine what callers may do, or if no tool can start a process. */
export const localTokenFor = (access: { readonly local_only: boolean }, startsProcesses: boolean): LocalToken | null =>
  access.local_only && startsProcesses
    ? createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash })
    : null;

/** The path of the token file. src/cli/local-token.ts must use the same name. */
export const tokenFile = (data: string, port: number): string => join(data, `token-${port}`);

/**
 * Writes the token to a new file and returns a function that removes it. An existing file is not reused, because it
 * could belong to another user or be a link.
 */
export function keepTokenFile(data: string, port: number, token: string): () => void {
  const path = tokenFile(data, port);
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  return () => rmSync(path, { force: true });
}
