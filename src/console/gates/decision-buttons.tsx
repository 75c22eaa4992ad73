// Shows the buttons that approve or reject a plan or a call.
import type { Child, FC } from "hono/jsx/dom";
import type { ConfirmationGate, PlanGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { isFirstClick } from "./approve-guard.ts";
import type { GateProps } from "./gate-props.ts";
import { RejectForm } from "./reject-form.tsx";

type Approval = Pick<Extract<TurnInput, { type: "confirm" }>, "edited_arguments" | "remember" | "prefix">;

type Props = GateProps<PlanGate | ConfirmationGate> & {
  readonly label: string;
  /** An example of a reason to reject. */
  readonly hint: string;
  readonly approval?: Approval;
  readonly disabled?: boolean;
  readonly children?: Child;
};

export const DecisionButtons: FC<Props> = ({ gate, session, label, hint, approval, disabled, children }) => {
  const confirm = (decision: "approve" | "reject", fields: Approval & { reason?: string }): void =>
    void session.send({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision, ...fields });
  return (
    <div class="gate-actions row">
      <Button
        key="approve"
        data-approve="true"
        title={t().gates.approveKeys}
        class="primary"
        disabled={disabled ?? false}
        onClick={(event: MouseEvent) => isFirstClick(event) && confirm("approve", approval ?? {})}
      >
        {label}
      </Button>
      {children}
      <RejectForm
        key="reject"
        gate={gate}
        session={session}
        hint={hint}
        onReject={(reason) => confirm("reject", reason ? { reason } : {})}
      />
    </div>
  );
};
