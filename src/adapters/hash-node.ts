// The hash port on node:crypto, which every host has; Web Crypto is asynchronous and far slower for short texts.
import { createHash, hash as digest } from "node:crypto";
import type { StreamHash } from "../ports/hash.ts";

export const nodeHash: StreamHash = {
  // In one call: a text of a few hundred bytes costs half of what an object for it would.
  sha256: (data) => digest("sha256", data, "hex"),
  start: () => {
    const hash = createHash("sha256");
    return {
      update: (data) => void hash.update(data),
      hex: () => hash.digest("hex"),
    };
  },
};
