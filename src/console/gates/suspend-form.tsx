// Shows the suspended role of a workflow. The answer is typed into the message field below; a failed role can also be
// retried without an answer.
import type { FC } from "hono/jsx/dom";
import type { SuspendGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import type { GateProps } from "./gate-props.ts";

export const SuspendForm: FC<GateProps<SuspendGate>> = ({ gate, session }) => (
  <div class="row">
    <span class="quiet small grow">{t().gates.suspendedRole(gate.role)}</span>
    {gate.failed ? (
      <button
        key="again"
        type="button"
        class="button primary"
        onClick={() => void session.send({ type: "resume", supplement: "" })}
      >
        {t().gates.tryRoleAgain}
      </button>
    ) : null}
  </div>
);
