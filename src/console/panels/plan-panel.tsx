// Shows the plan: each step, when it counts as done, the evidence that it needs, and its proofs.
import type { FC } from "hono/jsx/dom";
import type { Step } from "../../schema/plan.ts";
import type { Proof } from "../../schema/thread.ts";
import type { ThreadView } from "../../schema/turn-result.ts";
import { t } from "../messages/messages.ts";
import { Fact, TextButton } from "../parts/components.tsx";
import { formatNumber, formatUsd } from "../parts/format.ts";
import { type Turn, turnOfReceipt } from "../thread/conversation.ts";

type PanelProps = {
  readonly thread: ThreadView;
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

export const PlanPanel: FC<PanelProps> = ({ thread, turns, onTurn }) => {
  const proposed = thread.gate?.kind === "plan" ? thread.gate.steps : null;
  const steps = proposed ?? thread.plan;
  return (
    <div class="plan">
      {steps ? (
        <ol class="steps">
          {steps.map((step, i) => (
            <StepView
              key={i}
              step={step}
              status={proposed ? "proposed" : stepStatus(thread, i)}
              proofs={proposed ? [] : thread.proofs.filter((proof) => proof.step === i)}
              turns={turns}
              onTurn={onTurn}
            />
          ))}
        </ol>
      ) : (
        <NoPlan thread={thread} turns={turns} onTurn={onTurn} />
      )}
      <ThreadFacts thread={thread} />
    </div>
  );
};

type StepProps = {
  readonly step: Step;
  readonly status: StepStatus;
  readonly proofs: readonly Proof[];
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

const StepView: FC<StepProps> = ({ step, status, proofs, turns, onTurn }) => (
  <li class={`step step-${status}`} {...(status === "current" ? { "aria-current": "step" } : {})}>
    <p class="step-content">
      {step.content} <span class={`step-status step-status-${status}`}>{t().panels.stepStatus[status]}</span>
    </p>
    <dl class="step-facts">
      {step.done_when ? <Fact label={t().panels.doneWhen}>{step.done_when}</Fact> : null}
      <Fact key="needs" label={t().panels.needs}>
        {t().labels.needs[step.needs]}
      </Fact>
      {proofs.length > 0 ? (
        <Fact key="proof" label={t().panels.proof}>
          <Proofs proofs={proofs} turns={turns} onTurn={onTurn} />
        </Fact>
      ) : null}
    </dl>
  </li>
);

const Proofs: FC<Pick<StepProps, "proofs" | "turns" | "onTurn">> = ({ proofs, turns, onTurn }) => (
  <ul class="proofs">
    {proofs.map((proof) => {
      const turn = turnOfReceipt(turns, proof.receipt_id);
      return (
        <li key={proof.receipt_id}>
          <span class="proof-kind">{t().panels.proofKinds[proof.kind] ?? proof.kind}</span>{" "}
          {proof.kind === "reply" ? replyOf(proof.summary) : <code>{toolOf(proof.summary)}</code>}{" "}
          {turn === null ? null : <TextButton onClick={() => onTurn(turn)}>{t().panels.turn(turn)}</TextButton>}
        </li>
      );
    })}
  </ul>
);

/** The length at which summaries were truncated when they were stored. */
const PROOF_CHARS = 80;

/** Shortens "move: Moved [13] Essay outline …" to the tool. The linked turn shows the result. */
const toolOf = (summary: string): string => summary.split(": ", 1)[0] ?? "";

const replyOf = (summary: string): string => {
  const text = summary.slice(summary.indexOf(": ") + 2);
  return summary.length < PROOF_CHARS ? text : `${text}…`;
};

const NoPlan: FC<PanelProps> = ({ thread, turns, onTurn }) => (
  <>
    <p class="quiet">{thread.mode === "direct" ? t().panels.directRun : t().panels.noPlan}</p>
    {thread.proofs.length > 0 ? <Proofs proofs={thread.proofs} turns={turns} onTurn={onTurn} /> : null}
  </>
);

const ThreadFacts: FC<{ thread: ThreadView }> = ({ thread }) => {
  const { limit, used } = thread.budget;
  const usedOf = (amount: number, most: number | null, format: (amount: number) => string): string =>
    most === null ? format(amount) : t().panels.usedOf(format(amount), format(most));
  return (
    <dl class="facts">
      <Fact label={t().panels.turns}>
        {usedOf(used.turns, limit.turns, formatNumber)}
        <meter min={0} max={limit.turns} value={used.turns} aria-label={t().panels.turnsUsed} />
      </Fact>
      <Fact label={t().panels.tokens}>{usedOf(used.tokens, limit.tokens, formatNumber)}</Fact>
      {used.usd > 0 || limit.usd !== null ? (
        <Fact key="cost" label={t().panels.cost}>
          {usedOf(used.usd, limit.usd, formatUsd)}
        </Fact>
      ) : null}
      {thread.evidence ? (
        <Fact key="evidence" label={t().panels.evidence}>
          {t().panels.evidenceLabels[thread.evidence]}
          {thread.evidence_kind ? ` · ${t().panels.evidenceKinds[thread.evidence_kind]}` : ""}
        </Fact>
      ) : null}
      {thread.tainted ? (
        <Fact key="taint" label={t().panels.taint}>
          {t().panels.tainted}
        </Fact>
      ) : null}
      {thread.todo.map((item, i) => (
        <Fact key={`todo-${i}`} label={t().panels.todo}>
          {item.content} <span class="quiet">{t().panels.todoStatus[item.status]}</span>
        </Fact>
      ))}
    </dl>
  );
};

type StepStatus = "done" | "unproven" | "current" | "pending" | "proposed";

type PlanFacts = Pick<ThreadView, "proven_steps" | "outcome" | "state" | "step">;

/** The status of a plan step. A finished step is "done" only if its receipts prove it. */
export function stepStatus(thread: PlanFacts, i: number): StepStatus {
  const finished = thread.outcome === "completed" || thread.state === "deliver";
  if (finished || i < thread.step) return thread.proven_steps?.includes(i) ? "done" : "unproven";
  return i === thread.step && thread.state !== "rest" ? "current" : "pending";
}
