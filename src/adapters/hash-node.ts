// The hash port on node:crypto, which every host has; Web Crypto is asynchronous and far slower for short texts.
import { createHash } from "node:crypto";
import type { Hash } from "../ports/hash.ts";

export const nodeHash: Hash = {
  sha256: (data) => createHash("sha256").update(data).digest("hex"),
};
