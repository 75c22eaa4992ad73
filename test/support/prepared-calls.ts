// Provides calls as the judge sees them: resolved, validated, after hooks. They are fully allowed by default.
import type { Manifest } from "../../src/schema/manifest.ts";
import type { PreparedCall } from "../../src/turn/judge/ruling.ts";
import { aManifest, digestOf } from "./thread.ts";

export const look = aManifest({ name: "query_range" });
export const write = aManifest({ name: "place", permission: "WRITE" });
/** The manifest of a tool that changes something but requires no confirmation. */
export const unconfirmedWrite = aManifest({ name: "mark", permission: "WRITE", requires_confirmation: false });
export const fetchPage = aManifest({ name: "fetch_page", outward: true, output_trust: "untrusted" });

export function aCall(manifest: Manifest, over: Partial<PreparedCall> = {}): PreparedCall {
  const args = over.arguments ?? { day: 4 };
  return {
    name: manifest.name,
    manifest,
    disabled: null,
    nearest: [],
    arguments: args,
    arguments_digest: digestOf(manifest.name, args),
    proposed_digest: null,
    refusal: null,
    access: null,
    finishes_step: false,
    asks: [],
    ...over,
  };
}

export const anUnknownCall = (name: string, over: Partial<PreparedCall> = {}): PreparedCall => ({
  ...aCall(look),
  name,
  manifest: null,
  ...over,
});
