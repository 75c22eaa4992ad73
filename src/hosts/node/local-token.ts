// The token of one start: created if a server without keys can start processes, and kept in a file for the terminal.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createLocalToken, type LocalToken } from "../../http/edge/local-token.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Extension, mayStartProcesses } from "../shared/extension.ts";

/** Every tool that starts processes needs this part: a host with such tools names it among its parts. */
const PROCESS_PART = "process";

export const canStartProcesses = ({ config }: Pick<Runtime, "config">, extensions: readonly Extension[]): boolean =>
  (config.parts?.includes(PROCESS_PART) ?? false) || extensions.some(mayStartProcesses);

/** null: keys decide who may do what, or nothing here can start a process. */
export const localTokenFor = (access: { readonly local_only: boolean }, startsProcesses: boolean): LocalToken | null =>
  access.local_only && startsProcesses
    ? createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash })
    : null;

/** The file name that src/cli/local-token.ts expects. */
export const tokenFile = (data: string, port: number): string => join(data, `token-${port}`);

/** A new file, never an existing one: that could belong to another user, or be a link. */
export function keepTokenFile(data: string, port: number, token: string): () => void {
  const path = tokenFile(data, port);
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  return () => rmSync(path, { force: true });
}
