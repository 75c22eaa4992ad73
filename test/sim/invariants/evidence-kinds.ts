// I18: no run is reported with stronger evidence than the receipts of that run show.
import type { Receipt } from "../../../src/schema/receipt.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

export const evidenceIsHonest = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap((thread) => overstatements(thread).map((flaw) => `I18 ${thread.at.thread}: ${flaw}`));

const KINDS: Readonly<Record<Receipt["source"], string>> = {
  write_receipt: "write",
  tool_observation: "observation",
  user_reply: "reply",
  client_reply: "reply",
};
const STATED = { written: "write", observed: "observation", replied: "reply" } as const;

const kindsOf = ({ source, access }: Receipt): readonly string[] =>
  access ? [KINDS[source], "observation"] : [KINDS[source]];

function overstatements({ records }: StoredThread): readonly string[] {
  const succeeded = new Map<string, Receipt>();
  return records.flatMap(({ version, entry, state }) => {
    for (const receipt of entry.receipts) if (receipt.success) succeeded.set(receipt.id, receipt);
    const { evidence, evidence_kind, plan, run } = state;
    if ((evidence === null) !== (evidence_kind === null)) return [`record ${version} has only half of its evidence`];
    const receipts = [...succeeded.values()].filter((receipt) => receipt.run === run);
    const has = (kind: string, step?: number): boolean =>
      receipts.some((one) => (step === undefined || one.step_index === step) && kindsOf(one).includes(kind));
    const wrong: string[] = [];
    if (evidence_kind && evidence_kind !== "none" && !has(STATED[evidence_kind]))
      wrong.push(`record ${version} says ${evidence_kind}, and no receipt of run ${run} does`);
    if (evidence !== "proven") return wrong;
    plan?.forEach(({ needs }, step) => {
      // If the plan does not say what proves a step, only a write does.
      if (needs !== "none" && !has(needs === "any" ? "write" : needs, step))
        wrong.push(`record ${version} calls step ${step} proven that needs ${needs}`);
    });
    if (plan?.every(({ needs }) => needs === "none"))
      wrong.push(`record ${version} calls steps proven that need nothing`);
    return wrong;
  });
}
