// Everything one turn left behind: decision, judgement, receipts, usage, corrections, and the exact four messages.
import type { Child, FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { Judgement } from "../../schema/judgement.ts";
import type { Receipt } from "../../schema/receipt.ts";
import type { Correction, Usage } from "../../schema/record.ts";
import type { Api, Prompt } from "../client/api.ts";
import { Code, Fold, LongText, Visible, VisibleJson } from "../parts/bits.tsx";
import { bytes, count, grouped, money, sourceInWords, whole } from "../parts/words.ts";
import { newestOf, receiptsOf, storedBytes, type Turn, usageOf } from "./conversation.ts";

export const TurnDetail: FC<{ turn: Turn; api: Api; thread: string }> = ({ turn, api, thread }) => {
  const decision = newestOf(turn, (record) => record.decision);
  const judgement = newestOf(turn, (record) => record.judgement);
  const corrections = turn.records.flatMap((record) => record.corrections);
  const receipts = receiptsOf(turn);
  const model = newestOf(turn, (record) => record.model);
  return (
    <div class="turn-detail">
      <p class="quiet small">
        {whole(turn.at)} · by {turn.records[0]?.actor} · {count(turn.records.length, "record")},{" "}
        {bytes(storedBytes(turn))}
      </p>
      {decision ? (
        <Part title={`Decision of the ${decision.for === "plan" ? "planner" : "model"}`}>
          <Code class="tool-args">
            <VisibleJson value={decision.value} />
          </Code>
        </Part>
      ) : null}
      {judgement ? (
        <Part title="Judgement">
          <Verdicts judgement={judgement} />
        </Part>
      ) : null}
      {corrections.length > 0 ? (
        <Part title="Corrections before it was accepted">
          <Corrections corrections={corrections} />
        </Part>
      ) : null}
      {receipts.length > 0 ? (
        <Part title={receipts.length === 1 ? "Receipt" : "Receipts"}>
          <Receipts receipts={receipts} />
        </Part>
      ) : null}
      <Part title="Usage">
        <UsageLine usage={usageOf(turn)} model={model} />
      </Part>
      {model ? (
        <Fold label="The exact four messages">
          {() => <FourMessages api={api} thread={thread} turn={turn.number} />}
        </Fold>
      ) : null}
    </div>
  );
};

const Part: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <section class="detail-part">
    <h4>{title}</h4>
    {children}
  </section>
);

const VERDICTS = ["flow", "evidence", "safety"] as const;

const Verdicts: FC<{ judgement: Judgement }> = ({ judgement }) => (
  <dl class="verdicts">
    {VERDICTS.map((name) => (
      <div key={name} class={judgement[name].passed ? "verdict-passed" : "verdict-refused"}>
        <dt>
          {name} <span class="sr-only">{judgement[name].passed ? "passed" : "refused"}</span>
        </dt>
        <dd>{judgement[name].reason}</dd>
      </div>
    ))}
  </dl>
);

const Corrections: FC<{ corrections: readonly Correction[] }> = ({ corrections }) => (
  <ol class="corrections small">
    {corrections.map((one, i) => (
      <li key={i}>
        <code>{one.code}</code> {one.message}
        {one.excerpt ? (
          <Code>
            <Visible text={one.excerpt} />
          </Code>
        ) : null}
      </li>
    ))}
  </ol>
);

const SUCCESS = { true: "worked", false: "failed", null: "unknown" } as const;

const Receipts: FC<{ receipts: readonly Receipt[] }> = ({ receipts }) => (
  <ul class="plain-list small">
    {receipts.map((receipt) => (
      <li key={`${receipt.id}:${receipt.kind}`}>
        <code>{receipt.id}</code> {receipt.name} · {receipt.kind} · {sourceInWords[receipt.source]} · step{" "}
        {receipt.step_index + 1}
        {receipt.kind === "settled" ? ` · ${SUCCESS[`${receipt.success}`]}` : ""}
        {receipt.proposed_digest ? " · arguments were changed by a person or a hook" : ""}
        <br />
        <span class="quiet">
          <Visible text={receipt.summary} />
        </span>
      </li>
    ))}
  </ul>
);

const UsageLine: FC<{ usage: Usage | null; model: string | null }> = ({ usage, model }) => (
  <p class="small">
    {usage
      ? `${model ?? "model"}: ${count(usage.model_calls, "call")}, ${grouped(usage.input_tokens)} tokens in, ${grouped(usage.output_tokens)} out, ${money(usage.usd)}`
      : "No model was asked in this turn."}
  </p>
);

const FourMessages: FC<{ api: Api; thread: string; turn: number }> = ({ api, thread, turn }) => {
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [trouble, setTrouble] = useState("");
  const [asked, setAsked] = useState(false);
  if (!asked) {
    setAsked(true);
    void api.prompt(thread, turn).then((read) => (read.ok ? setPrompt(read.value) : setTrouble(read.problem.message)));
  }
  if (trouble) return <p class="quiet">{trouble}</p>;
  if (!prompt) return <p class="quiet">…</p>;
  return (
    <ol class="messages" start={0}>
      {prompt.messages.map((message, i) => (
        <li key={i}>
          <p class="quiet small">
            [{i}] {message.role} · {grouped(message.content.length)} characters
          </p>
          <LongText text={message.content} />
        </li>
      ))}
    </ol>
  );
};
