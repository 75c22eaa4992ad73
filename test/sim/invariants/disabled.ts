// I17: a call of a tool that was disabled before its approval does not run, and a disabled inbound webhook accepts
// nothing.
import type { Evidence } from "../evidence.ts";
import type { ClientRequest } from "../network.ts";

export function disabledStaysDisabled(evidence: Evidence): readonly string[] {
  if (!evidence.changes) return [];
  return [...disabledToolsDoNotRun(evidence), ...disabledInboundWebhooksRefuse(evidence)];
}

function disabledToolsDoNotRun({ effects, threads, clientRequests }: Evidence): readonly string[] {
  const switches = clientRequests.filter(
    ({ request }) => request.kind === "api" && request.path.startsWith("/v1/tools/"),
  );
  if (switches.length === 0) return [];
  return effects.flatMap(({ tenant, tool, thread: id, effect_id }) => {
    const thread = threads.find(({ at }) => at.thread === id && at.tenant === tenant);
    const gate = thread?.records
      .flatMap(({ entry }) => entry.receipts)
      .find((receipt) => receipt.effect_id === effect_id && receipt.kind === "intended")?.gate_id;
    const closed = thread?.records.find(({ entry }) => entry.closed_gate?.id === gate)?.entry.closed_gate;
    if (!gate || closed?.how !== "approved") return [];
    const approvals = clientRequests.filter(({ request }) =>
      request.kind === "turn"
        ? request.input?.type === "confirm" && request.input.gate_id === gate
        : request.kind === "api" && request.gate?.id === gate,
    );
    const own = switches.filter(({ request }) => isAbout(request, tenant, `/v1/tools/${tool}`));
    return isDisabled(own, firstInvokedAt(approvals))
      ? [`I17 ${tool} was disabled, but ${effect_id} ran by ${gate}`]
      : [];
  });
}

/** Checks only events that were first sent after the inbound webhook was disabled. */
function disabledInboundWebhooksRefuse({ clientRequests }: Evidence): readonly string[] {
  return clientRequests.flatMap(({ request, tries }) => {
    if (request.kind !== "api" || !request.sign) return [];
    const hook = /\.(hok_[0-9a-z]{26})\./.exec(request.path)?.[1];
    const own = clientRequests.filter((one) => isAbout(one.request, request.tenant, `/v1/hooks/${hook}`));
    const taken = tries.some(({ response }) => response?.code === "ok");
    return taken && isDisabled(own, firstInvokedAt([{ tries }]))
      ? [`I17 ${hook} was disabled, but accepted ${request.sign.id}`]
      : [];
  });
}

const isAbout = (request: ClientRequest["request"], tenant: string, path: string): boolean =>
  request.kind === "api" && request.method === "PATCH" && request.path === path && request.tenant === tenant;

const firstInvokedAt = (requests: readonly Pick<ClientRequest, "tries">[]): number =>
  Math.min(...requests.flatMap(({ tries }) => tries.map(({ invoked }) => invoked)));

/**
 * Reports whether disabling was acknowledged before, and every enabling either finished before that or has not begun.
 */
function isDisabled(switches: readonly ClientRequest[], by: number): boolean {
  const ons = switches.filter(({ request }) => request.kind === "api" && request.body?.includes("true"));
  return switches.some(({ request, tries }) => {
    if (request.kind !== "api" || request.body?.includes("true")) return false;
    return tries.some(
      ({ invoked, done, response }) =>
        response?.code === "ok" &&
        done < by &&
        ons.every((on) => on.tries.every((one) => one.response !== null && one.done < invoked)),
    );
  });
}
