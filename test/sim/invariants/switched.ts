// I17: what was switched off before anybody said yes does not run, and a door that was shut lets nothing in.
import type { Evidence } from "../evidence.ts";
import type { Wish } from "../network.ts";

export function offIsOff(evidence: Evidence): readonly string[] {
  if (!evidence.changes) return [];
  return [...toolsStayOff(evidence), ...doorsStayShut(evidence)];
}

function toolsStayOff({ deeds, threads, wishes }: Evidence): readonly string[] {
  const switches = wishes.filter(({ request }) => request.kind === "errand" && request.path.startsWith("/v1/tools/"));
  if (switches.length === 0) return [];
  return deeds.flatMap(({ tenant, tool, thread: id, effect_id }) => {
    const thread = threads.find(({ at }) => at.thread === id && at.tenant === tenant);
    const gate = thread?.records
      .flatMap(({ entry }) => entry.receipts)
      .find((receipt) => receipt.effect_id === effect_id && receipt.kind === "intended")?.gate_id;
    const closed = thread?.records.find(({ entry }) => entry.closed_gate?.id === gate)?.entry.closed_gate;
    if (!gate || closed?.how !== "approved") return [];
    const yes = wishes.filter(({ request }) =>
      request.kind === "turn"
        ? request.input?.type === "confirm" && request.input.gate_id === gate
        : request.kind === "errand" && request.gate?.id === gate,
    );
    const own = switches.filter(({ request }) => isAbout(request, tenant, `/v1/tools/${tool}`));
    return isOff(own, begunAt(yes)) ? [`I17 ${tool} was switched off, and ${effect_id} ran by ${gate}`] : [];
  });
}

/** An event of which nobody had heard before the door was shut. */
function doorsStayShut({ wishes }: Evidence): readonly string[] {
  return wishes.flatMap(({ request, tries }) => {
    if (request.kind !== "errand" || !request.sign) return [];
    const hook = /\.(hok_[0-9a-z]{26})\./.exec(request.path)?.[1];
    const own = wishes.filter((one) => isAbout(one.request, request.tenant, `/v1/hooks/${hook}`));
    const taken = tries.some(({ answer }) => answer?.code === "ok");
    return taken && isOff(own, begunAt([{ tries }]))
      ? [`I17 ${hook} was switched off, and took ${request.sign.id}`]
      : [];
  });
}

const isAbout = (request: Wish["request"], tenant: string, path: string): boolean =>
  request.kind === "errand" && request.method === "PATCH" && request.path === path && request.tenant === tenant;

const begunAt = (wishes: readonly Pick<Wish, "tries">[]): number =>
  Math.min(...wishes.flatMap(({ tries }) => tries.map(({ invoked }) => invoked)));

/** Somebody was told that it is off before that, and whoever switched it on was done before or has not begun. */
function isOff(switches: readonly Wish[], by: number): boolean {
  const ons = switches.filter(({ request }) => request.kind === "errand" && request.body?.includes("true"));
  return switches.some(({ request, tries }) => {
    if (request.kind !== "errand" || request.body?.includes("true")) return false;
    return tries.some(
      ({ invoked, done, answer }) =>
        answer?.code === "ok" &&
        done < by &&
        ons.every((on) => on.tries.every((one) => one.answer !== null && one.done < invoked)),
    );
  });
}
