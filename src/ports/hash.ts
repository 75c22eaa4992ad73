// Hashing as a port, synchronous because digests are made inside pure code.

export interface Hash {
  /** Lowercase hexadecimal; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string;
}
