// The local token, valid for one start of a server without keys that can start processes. A file keeps it for the terminal.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createLocalToken, type LocalToken } from "../../http/edge/local-token.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Extension, mayStartProcesses } from "../shared/extension.ts";

/** All built-in tools that start processes need this part. */
const PROCESS_PART = "process";

export const canStartProcesses = ({ config }: Pick<Runtime, "config">, extensions: readonly Extension[]): boolean =>
  (config.parts?.includes(PROCESS_PART) ?? false) || extensions.some(mayStartProcesses);

/** Null if API keys determine what callers may do, or if no tool can start a process. */
export const localTokenFor = (access: { readonly local_only: boolean }, startsProcesses: boolean): LocalToken | null =>
  access.local_only && startsProcesses
    ? createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash })
    : null;

/** src/cli/local-token.ts must use the same name. */
export const tokenFile = (data: string, port: number): string => join(data, `token-${port}`);

/** Never reuses an existing file, which could belong to another user or be a link. */
export function keepTokenFile(data: string, port: number, token: string): () => void {
  const path = tokenFile(data, port);
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  return () => rmSync(path, { force: true });
}
