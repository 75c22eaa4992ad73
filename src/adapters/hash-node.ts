// The hash port on node:crypto, which every host has; Web Crypto is asynchronous and far slower for short texts.
import { createHash } from "node:crypto";
import type { StreamHash } from "../ports/hash.ts";

export const nodeHash: StreamHash = {
  sha256: (data) => createHash("sha256").update(data).digest("hex"),
  start: () => {
    const hash = createHash("sha256");
    return {
      update: (data) => void hash.update(data),
      hex: () => hash.digest("hex"),
    };
  },
};
