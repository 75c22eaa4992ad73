// The plan beside the conversation: each step, when it counts as done, what it needs, and what proves it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/outcome.ts";
import type { Step } from "../../schema/plan.ts";
import type { Proof } from "../../schema/thread.ts";
import { grouped, money, needsInWords } from "../parts/words.ts";
import { type Turn, turnOfReceipt } from "../thread/conversation.ts";

type Standing = "done" | "now" | "later" | "proposed";
const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  done: "proven",
  now: "now",
  later: "later",
  proposed: "proposed",
};

/** `onTurn`: leads to where something happened. */
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
              standing={proposed ? "proposed" : standingOf(thread, i)}
              proofs={proposed ? [] : thread.proofs.filter((proof) => proof.step === i)}
              turns={turns}
              onTurn={onTurn}
            />
          ))}
        </ol>
      ) : (
        <NoPlan thread={thread} turns={turns} onTurn={onTurn} />
      )}
      <Facts thread={thread} />
    </div>
  );
};

function standingOf(thread: ThreadView, i: number): Standing {
  const finished = thread.outcome === "completed" || thread.state === "deliver";
  if (finished || i < thread.step) return "done";
  return i === thread.step && thread.state !== "rest" ? "now" : "later";
}

type StepProps = {
  readonly step: Step;
  readonly standing: Standing;
  readonly proofs: readonly Proof[];
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

const StepView: FC<StepProps> = ({ step, standing, proofs, turns, onTurn }) => (
  <li class={`step step-${standing}`} {...(standing === "now" ? { "aria-current": "step" } : {})}>
    <p class="step-content">
      {step.content} <span class={`step-standing step-standing-${standing}`}>{STANDING_WORDS[standing]}</span>
    </p>
    <dl class="step-facts">
      {step.done_when ? (
        <>
          <dt>Done when</dt>
          <dd>{step.done_when}</dd>
        </>
      ) : null}
      <dt>Needs</dt>
      <dd>{needsInWords[step.needs]}</dd>
      {proofs.length > 0 ? (
        <>
          <dt>Proof</dt>
          <dd>
            <Proofs proofs={proofs} turns={turns} onTurn={onTurn} />
          </dd>
        </>
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
          <span class="proof-kind">{proof.kind}</span>{" "}
          {proof.summary.length < PROOF_CHARS ? proof.summary : `${proof.summary}…`}
          {turn === null ? null : (
            <button type="button" class="link" onClick={() => onTurn(turn)}>
              turn {turn}
            </button>
          )}
        </li>
      );
    })}
  </ul>
);

/** Longer ones were cut where they were stored. */
const PROOF_CHARS = 80;

const NoPlan: FC<PanelProps> = ({ thread, turns, onTurn }) => (
  <>
    <p class="quiet">
      {thread.mode === "direct"
        ? "A direct run: one step, no plan. What it did is proven all the same."
        : "No plan yet. The first turns make one, and you approve it."}
    </p>
    {thread.proofs.length > 0 ? <Proofs proofs={thread.proofs} turns={turns} onTurn={onTurn} /> : null}
  </>
);

const EVIDENCE = { proven: "Proven by receipts", none: "Nothing proves it, and it says so" } as const;

const Facts: FC<{ thread: ThreadView }> = ({ thread }) => {
  const { limit, used } = thread.budget;
  return (
    <dl class="facts">
      <dt>Turns</dt>
      <dd>
        {grouped(used.turns)} of {grouped(limit.turns)}
        <meter min={0} max={limit.turns} value={used.turns} aria-label="Turns used" />
      </dd>
      <dt>Tokens</dt>
      <dd>
        {grouped(used.tokens)}
        {limit.tokens === null ? "" : ` of ${grouped(limit.tokens)}`}
      </dd>
      {used.usd > 0 || limit.usd !== null ? (
        <>
          <dt>Cost</dt>
          <dd>
            {money(used.usd)}
            {limit.usd === null ? "" : ` of ${money(limit.usd)}`}
          </dd>
        </>
      ) : null}
      {thread.evidence ? (
        <>
          <dt>Evidence</dt>
          <dd>{EVIDENCE[thread.evidence]}</dd>
        </>
      ) : null}
      {thread.tainted ? (
        <>
          <dt>Taint</dt>
          <dd>Untrusted text came in; tools that reach outside ask first.</dd>
        </>
      ) : null}
      {thread.todo.map((item) => (
        <>
          <dt>To do</dt>
          <dd>
            {item.content} <span class="quiet">{item.status.replace("_", " ")}</span>
          </dd>
        </>
      ))}
    </dl>
  );
};
