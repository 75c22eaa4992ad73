// Shows the suspended role of a workflow. The answer is typed into the message field below.
import type { FC } from "hono/jsx/dom";
import type { SuspendGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import type { GateProps } from "./gate-props.ts";

export const SuspendForm: FC<GateProps<SuspendGate>> = ({ gate, session }) => (
  <div class="row">
    <span class="quiet small grow">{t().gates.suspendedRole(gate.role)}</span>
    {gate.failed ? (
      <Button key="again" class="primary" onClick={() => void session.send({ type: "resume", supplement: "" })}>
        {t().common.retry}
      </Button>
    ) : null}
  </div>
);
