// Computes the three digests: of arguments, of a call to confirm, and of a plan to approve. Each lists exactly the fields that it covers.
import type { Hash } from "../../ports/hash.ts";
import type { Arguments } from "../../schema/decision/decision.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import type { Step } from "../../schema/plan.ts";

type GateBinding = { readonly tenant: string; readonly thread: string; readonly version: number };

/** For comparing receipts and repeated calls. Equal calls have the same digest in any thread. */
export function argumentsDigest(hash: Hash, call: { readonly tool: string; readonly arguments: Arguments }): string {
  return hash.sha256(canonicalJson({ tool: call.tool, arguments: call.arguments }));
}

/** Binds the digest to the record that opens the gate, so that an approval is valid for this call only, not for a later identical one. */
export function callDigest(
  hash: Hash,
  call: GateBinding & { readonly tool: string; readonly manifest_version: string; readonly arguments: Arguments },
): string {
  const { tenant, thread, version, tool, manifest_version } = call;
  return hash.sha256(canonicalJson({ tenant, thread, version, tool, manifest_version, arguments: call.arguments }));
}

export function planDigest(hash: Hash, plan: GateBinding & { readonly steps: readonly Step[] }): string {
  const { tenant, thread, version, steps } = plan;
  return hash.sha256(canonicalJson({ tenant, thread, version, steps }));
}
