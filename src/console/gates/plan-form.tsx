// Approves or rejects a plan. It lists the steps and the proof that each one needs.
import type { FC } from "hono/jsx/dom";
import type { PlanGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import { isFirstClick } from "./approve-guard.ts";
import type { GateProps } from "./gate-props.ts";
import { RejectForm } from "./reject-form.tsx";

export const PlanForm: FC<GateProps<PlanGate>> = ({ gate, session }) => {
  const confirm = (decision: "approve" | "reject", reason = ""): void =>
    void session.send({
      type: "confirm",
      gate_id: gate.id,
      digest: gate.digest,
      decision,
      ...(reason ? { reason } : {}),
    });
  return (
    <>
      <ol class="gate-steps">
        {gate.steps.map((step, i) => (
          <li key={i}>
            {step.content}
            <span class="quiet small">{t().gates.stepFacts(step.done_when ?? null, t().labels.needs[step.needs])}</span>
          </li>
        ))}
      </ol>
      <div class="gate-actions row">
        <button
          type="button"
          class="button primary"
          data-approve="true"
          title={t().gates.approveKeys}
          onClick={(event: MouseEvent) => isFirstClick(event) && confirm("approve")}
        >
          {t().gates.approvePlan}
        </button>
        <RejectForm
          gate={gate}
          session={session}
          hint={t().gates.planHint}
          onReject={(reason) => confirm("reject", reason)}
        />
      </div>
    </>
  );
};
