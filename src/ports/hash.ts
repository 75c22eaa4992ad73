// Hashing as a port, synchronous because digests are made inside pure code.

export interface Hash {
  /** Lowercase hexadecimal; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string;
}

/** A hash over what comes in pieces: none of them is kept. */
export interface RunningHash {
  update(data: string | Uint8Array): void;
  /** Once, at the end. */
  hex(): string;
}

export interface StreamHash extends Hash {
  start(): RunningHash;
}
