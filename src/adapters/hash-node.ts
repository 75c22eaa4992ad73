// Implements the hash port with node:crypto, which every host provides. Web Crypto is asynchronous and much slower for
// short strings.
import { createHash, hash as digest } from "node:crypto";
import type { StreamHash } from "../ports/hash.ts";

export const nodeHash: StreamHash = {
  // The one-shot function takes half the time of a Hash object for a string of a few hundred bytes.
  sha256: (data) => digest("sha256", data, "hex"),
  start: () => {
    const hash = createHash("sha256");
    return {
      update: (data) => void hash.update(data),
      hex: () => hash.digest("hex"),
    };
  },
};
