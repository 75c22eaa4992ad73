// Loads the tools that the caller declared for a thread. They are one blob, which is replaced as a whole when a request declares others.
import { retryUnavailable } from "../ports/retry.ts";
import type { StoredBlob } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import { ClientTools } from "../schema/protocols/client-tool.ts";
import type { ThreadState } from "../schema/thread.ts";
import { checkDeclarations, type DeclaredTool, declaredTool } from "../tools/declared/client-tools.ts";
import type { Runtime } from "./runtime.ts";

/** Hashes of declarations that were found valid, because clients send the same ones with every request. */
const validHashes = new Set<string>();
const VALID_HASHES_MAX = 200;

export function validateClientTools(rt: Runtime, declarations: ClientTools | undefined): Failed | null {
  if (!declarations) return null;
  const isTaken = (name: string): boolean => rt.toolbox.catalog.get(name) !== null;
  const key = rt.hash.sha256(JSON.stringify(declarations));
  if (validHashes.has(key) && !declarations.some(({ name }) => isTaken(name))) return null;
  const refused = checkDeclarations(rt.hash, declarations, isTaken);
  if (refused) return refused;
  if (validHashes.size >= VALID_HASHES_MAX) validHashes.clear();
  validHashes.add(key);
  return null;
}

/** Returns what a new declaration changes: the hash of its blob in the state, and the blob. */
export function storedDeclarations(
  { hash }: Pick<Runtime, "hash">,
  declarations: ClientTools | undefined,
): { readonly state: Pick<ThreadState, "client_tools_blob">; readonly blobs: readonly StoredBlob[] } {
  if (!declarations) return { state: {}, blobs: [] };
  if (declarations.length === 0) return { state: { client_tools_blob: undefined }, blobs: [] };
  const text = JSON.stringify(declarations);
  const name = hash.sha256(text);
  return { state: { client_tools_blob: name }, blobs: [{ hash: name, text }] };
}

/** The tools of each declaration by its hash. */
const builtTools = new Map<string, readonly DeclaredTool[]>();
const BUILT_TOOLS_MAX = 200;

function buildTools(rt: Pick<Runtime, "hash">, text: string): readonly DeclaredTool[] {
  const key = rt.hash.sha256(text);
  const known = builtTools.get(key);
  if (known) return known;
  const tools = ClientTools.parse(JSON.parse(text)).map((declaration) => declaredTool(rt.hash, declaration));
  if (builtTools.size >= BUILT_TOOLS_MAX) builtTools.clear();
  builtTools.set(key, tools);
  return tools;
}

/** `declarations` are those of the request, which are stored with its record. */
export async function loadClientTools(
  rt: Pick<Runtime, "hash" | "store">,
  at: ThreadRef,
  state: Pick<ThreadState, "client_tools_blob">,
  declarations?: ClientTools,
): Promise<Result<readonly DeclaredTool[]>> {
  if (declarations) return ok(buildTools(rt, JSON.stringify(declarations)));
  const name = state.client_tools_blob;
  if (!name) return ok([]);
  const text = await retryUnavailable(() => rt.store.getBlob(at, name));
  if (text.ok) return ok(buildTools(rt, text.value));
  return text.problem.code === "blob_not_found" ? fail("state_corrupt", "The declared tools are missing.") : text;
}
