// Handles calls that run in the client: opens their gate, and applies a result, a lease or the expiry.
import { isoTime } from "../../ports/clock.ts";
import { type ExternalGate, isLeased, type StoredCall } from "../../schema/gate.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { CLIENT_RESULT_EXPIRES_S } from "../../schema/protocols/client-tool.ts";
import { filterText } from "../../tools/hooks.ts";
import { buildObservation, type CallResult, callResult, mintSettled } from "../act/receipts.ts";
import { withReceipt } from "../act/with-receipt.ts";
import type { Admitted } from "../admit/admit.ts";
import { loadClientTools } from "../client-tools.ts";
import { amend, closedGateEntry, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import type { PreparedCall } from "../judge/ruling.ts";
import type { Runtime } from "../runtime.ts";
import { callDigest } from "./digest.ts";
import { gateHead } from "./open-gate.ts";
/** Nothing runs here, so there is no intended receipt: the gate is the record that the client may run the call. */
export async function withExternalGate(
  ctx: TurnContext,
  draft: Draft,
  { stored, call }: { readonly stored: StoredCall; readonly call: PreparedCall },
): Promise<Draft> {
  const { rt, request, thread } = ctx;
  const declared = await loadClientTools(rt, request.at, thread.state, request.options?.client_tools);
  const tool = declared.ok ? declared.value.find(({ manifest }) => manifest.name === stored.name) : undefined;
  const { client_name = stored.name, expires_in_s = CLIENT_RESULT_EXPIRES_S } = tool?.declaration ?? {};
  const head = gateHead(rt, thread, `Waiting for the client to run ${client_name}.`, expires_in_s);
  const { name, manifest_version } = stored;
  const { version } = head;
  const gate: ExternalGate = {
    ...head,
    kind: "external",
    digest: callDigest(rt.hash, { ...request.at, version, tool: name, manifest_version, arguments: call.arguments }),
    call: stored,
    client_name,
    output_trust: tool?.manifest.output_trust ?? "untrusted",
    lease: null,
  };
  return amend(draft, { state: { gate, idle: 0 }, entry: { call: stored }, signals: [{ type: "call.gated" }] });
}

/** Applies a result from the client. It is only the client's word, so it counts as a reply, even if the tool is declared to write. */
export async function withClientResult(
  { rt, request }: TurnContext,
  draft: Draft,
  { gate, input }: Admitted<"client_result">,
): Promise<Result<Draft>> {
  const leased = leasedByOther(rt, gate, input.lease_id);
  if (leased) return leased;
  const text = input.error ?? (typeof input.output === "string" ? input.output : JSON.stringify(input.output));
  const shown = filterText(rt.hooks, gate.call.name, text.toWellFormed());
  const result = callResult(rt, input.error === undefined, shown);
  const run = { ...result.run, output_trust: gate.output_trust, raw: shown === text ? (input.output ?? null) : null };
  const settled = withSettledCall(rt, draft, gate, { ...result, run, actor: request.actor, how: "answered" });
  // The input is stored as well, and must not contain what the hooks have removed from the result.
  const filtered = input.error === undefined ? { ...input, output: null } : { ...input, error: shown };
  return ok(shown === text ? settled : amend(settled, { entry: { input: filtered } }));
}

export const withExpiredCall = (rt: Runtime, draft: Draft, { gate }: Admitted<"expire_external">): Draft =>
  withSettledCall(rt, draft, gate, {
    ...callResult(rt, null, "No result came in time. It is unknown whether the client ran the call."),
    actor: null,
    how: "expired",
  });

type ClientResult = CallResult & { readonly actor: string | null; readonly how: "answered" | "expired" };

function withSettledCall(rt: Runtime, draft: Draft, gate: ExternalGate, result: ClientResult): Draft {
  const authorization = { gate_id: gate.id, actor: result.actor };
  const started = Date.parse(gate.created_at);
  const settled = mintSettled(
    rt,
    draft.state,
    { stored: gate.call, manifest: null, authorization },
    { ...result, started },
  );
  const receipt = { ...settled, source: "client_reply" as const };
  const { observation, blobs } = buildObservation(rt, receipt.id, { ...result, about: draft.state }, null);
  return amend(draft, {
    state: { ...withReceipt(draft.state, receipt, null), gate: null },
    entry: {
      call: gate.call,
      receipts: [receipt],
      observation,
      thought: gate.call.thought,
      ...closedGateEntry(gate, result.how),
    },
    signals: [{ type: result.how === "expired" ? "call.rejected" : "call.settled" }],
    blobs,
  });
}

/** With `lease_s` 0, ends the lease. Each lease is a committed record, so of two workers that want the same call only one gets it. */
export async function withClientLease(
  { rt, request }: TurnContext,
  draft: Draft,
  { gate, input }: Admitted<"lease">,
): Promise<Result<Draft>> {
  const leased = leasedByOther(rt, gate, input.lease_id);
  if (leased) return leased;
  const until = isoTime(rt.clock.now() + input.lease_s * 1000);
  const lease = input.lease_s > 0 ? { id: input.lease_id, actor: request.actor, until } : null;
  return ok(amend(draft, { state: { gate: { ...gate, lease } } }));
}

function leasedByOther({ clock }: Runtime, gate: ExternalGate, lease_id: string | undefined): Failed | null {
  const { id, lease } = gate;
  if (!lease || lease.id === lease_id || !isLeased(gate, clock.now())) return null;
  return fail("gate_leased", `${lease.actor} has leased gate ${id} until ${lease.until}.`, {
    gate_id: id,
    retry_after_s: Math.ceil((Date.parse(lease.until) - clock.now()) / 1000),
  });
}
