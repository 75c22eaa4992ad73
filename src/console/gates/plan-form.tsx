// Approves or rejects a plan: lists the steps and the proof each one needs.
import type { FC } from "hono/jsx/dom";
import type { PlanGate } from "../../schema/gate.ts";
import { NEEDS_LABELS } from "../parts/format.ts";
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
            <span class="quiet small">
              {step.done_when ? `done when ${step.done_when}; ` : ""}needs {NEEDS_LABELS[step.needs]}
            </span>
          </li>
        ))}
      </ol>
      <div class="row">
        <button type="button" class="button primary" onClick={() => confirm("approve")}>
          Approve the plan
        </button>
        <RejectForm hint="for example: check the week first" onReject={(reason) => confirm("reject", reason)} />
      </div>
    </>
  );
};
