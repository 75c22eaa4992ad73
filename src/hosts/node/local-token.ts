// Creates the token of one start if a server without keys can start processes, and keeps it in a file for the terminal.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createLocalToken, type LocalToken } from "../../http/edge/local-token.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Extension, mayStartProcesses } from "../shared/extension.ts";

/** The part that every tool that starts processes needs. A host with such tools lists it among its parts. */
const PROCESS_PART = "process";

export const canStartProcesses = ({ config }: Pick<Runtime, "config">, extensions: readonly Extension[]): boolean =>
  (config.parts?.includes(PROCESS_PART) ?? false) || extensions.some(mayStartProcesses);

/** Returns null if keys determine the permissions of callers, or if nothing here can start a process. */
export const localTokenFor = (access: { readonly local_only: boolean }, startsProcesses: boolean): LocalToken | null =>
  access.local_only && startsProcesses
    ? createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash })
    : null;

/** The file name that src/cli/local-token.ts expects. */
export const tokenFile = (data: string, port: number): string => join(data, `token-${port}`);

/** Writes the token to a new file. An existing file could belong to another user or be a link. */
export function keepTokenFile(data: string, port: number, token: string): () => void {
  const path = tokenFile(data, port);
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  return () => rmSync(path, { force: true });
}
