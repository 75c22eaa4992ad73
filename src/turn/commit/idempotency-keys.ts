// Tracks the most recent idempotency keys of a thread and their records, as part of the committed state.
import type { Hash } from "../../ports/hash.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import { KEY_RING_MAX } from "../../schema/thread.ts";

export type KeyRange = { readonly hash: string; readonly first: number; readonly newest: number };

const KEY_HASH_CHARS = 18;

/** Shortens the hash of a key to nine bytes, which distinguish 64 keys reliably. If two keys do collide, their different bodies show it. */
export const keyHash = (hash: Hash, key: string): string => hash.sha256(key).slice(0, KEY_HASH_CHARS);

export const bodyHash = (hash: Hash, request: { route: string; query: unknown; body: unknown }): string =>
  hash.sha256(canonicalJson(request)).slice(0, 32);

export function findKey(keys: readonly string[], hash: string): KeyRange | null {
  const found = keys.find((row) => row.startsWith(`${hash}:`));
  if (!found) return null;
  const [, first, newest] = found.split(":");
  return { hash, first: Number(first), newest: Number(newest) };
}

/** Adds a record to its key, which becomes the newest key. If there are too many keys, the oldest is evicted. */
export function recordKey(keys: readonly string[], hash: string, version: number): string[] {
  const known = findKey(keys, hash);
  const others = keys.filter((row) => !row.startsWith(`${hash}:`));
  return [...others, `${hash}:${known?.first ?? version}:${version}`].slice(-KEY_RING_MAX);
}
