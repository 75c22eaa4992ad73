// Collects garbage on request, so that a measurement does not pay for the garbage of the one before it.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

export const collectGarbage: (options?: { readonly type: "minor" | "major" }) => void = runInNewContext("gc");
