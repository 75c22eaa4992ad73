// Defines hashing as a port. It is synchronous because digests are computed inside pure code.
export interface Hash {
  /** Returns lowercase hexadecimal digits. Text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string;
}

/** Retains no chunk. */
export interface RunningHash {
  update(data: string | Uint8Array): void;
  /** Returns the hash in hexadecimal. Call it once, at the end. */
  hex(): string;
}

export interface StreamHash extends Hash {
  start(): RunningHash;
}

/** Compares secrets and digests in constant time, so that the duration does not reveal where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
