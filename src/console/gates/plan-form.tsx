// Approves or rejects a plan. It lists the steps and the proof that each one needs.
import type { FC } from "hono/jsx/dom";
import type { PlanGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import { DecisionButtons } from "./decision-buttons.tsx";
import type { GateProps } from "./gate-props.ts";

export const PlanForm: FC<GateProps<PlanGate>> = ({ gate, session }) => (
  <>
    <ol class="gate-steps">
      {gate.steps.map((step, i) => (
        <li key={i}>
          {step.content}
          <span class="quiet small">{t().gates.stepFacts(step.done_when ?? null, t().labels.needs[step.needs])}</span>
        </li>
      ))}
    </ol>
    <DecisionButtons gate={gate} session={session} label={t().gates.approvePlan} hint={t().gates.planHint} />
  </>
);
