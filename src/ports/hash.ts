// Hashing as a port, synchronous because digests are computed inside pure code.

export interface Hash {
  /** Lowercase hexadecimal; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string;
}

/** An incremental hash over chunks; no chunk is retained. */
export interface RunningHash {
  update(data: string | Uint8Array): void;
  /** Call once, at the end. */
  hex(): string;
}

export interface StreamHash extends Hash {
  start(): RunningHash;
}

/** Compares secrets and digests: the duration does not reveal where two texts differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
