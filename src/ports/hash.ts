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
