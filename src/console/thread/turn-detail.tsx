// All recorded details of one turn: decision, judgement, receipts, usage, corrections, and the exact prompt.
import type { Child, FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { Judgement } from "../../schema/judgement.ts";
import type { Receipt } from "../../schema/receipt.ts";
import type { Correction, Usage } from "../../schema/record.ts";
import type { Api, Prompt } from "../client/api.ts";
import { Code, Disclosure, LongText, VisibleJson, VisibleText } from "../parts/components.tsx";
import { formatBytes, formatDateTime, formatNumber, formatUsd, pluralize, SOURCE_LABELS } from "../parts/format.ts";
import { latestIn, receiptsOf, storedBytes, type Turn, usageOf } from "./conversation.ts";

export const TurnDetail: FC<{ turn: Turn; api: Api; thread: string }> = ({ turn, api, thread }) => {
  const decision = latestIn(turn, (record) => record.decision);
  const judgement = latestIn(turn, (record) => record.judgement);
  const corrections = turn.records.flatMap((record) => record.corrections);
  const receipts = receiptsOf(turn);
  const model = latestIn(turn, (record) => record.model);
  return (
    <div class="turn-detail">
      <p class="quiet small">
        {formatDateTime(turn.at)} · by {turn.records[0]?.actor} · {pluralize(turn.records.length, "record")},{" "}
        {formatBytes(storedBytes(turn))}
      </p>
      {decision ? (
        <DetailSection title={decision.for === "plan" ? "Planner decision" : "Model decision"}>
          <Code class="tool-args">
            <VisibleJson value={decision.value} />
          </Code>
        </DetailSection>
      ) : null}
      {judgement ? (
        <DetailSection title="Judgement">
          <Verdicts judgement={judgement} />
        </DetailSection>
      ) : null}
      {corrections.length > 0 ? (
        <DetailSection title="Corrections before acceptance">
          <Corrections corrections={corrections} />
        </DetailSection>
      ) : null}
      {receipts.length > 0 ? (
        <DetailSection title={receipts.length === 1 ? "Receipt" : "Receipts"}>
          <Receipts receipts={receipts} />
        </DetailSection>
      ) : null}
      <DetailSection title="Usage">
        <UsageLine usage={usageOf(turn)} model={model} />
      </DetailSection>
      {model ? (
        <Disclosure label="Exact prompt (four messages)">
          {() => <PromptMessages api={api} thread={thread} turn={turn.number} />}
        </Disclosure>
      ) : null}
    </div>
  );
};

const DetailSection: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <section class="detail-section">
    <h4>{title}</h4>
    {children}
  </section>
);

const VERDICTS = ["flow", "evidence", "safety"] as const;

const Verdicts: FC<{ judgement: Judgement }> = ({ judgement }) => (
  <dl class="verdicts">
    {VERDICTS.map((name) => (
      <div key={name} class={judgement[name].passed ? "verdict-passed" : "verdict-failed"}>
        <dt>
          {name} <span class="sr-only">{judgement[name].passed ? "passed" : "failed"}</span>
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
            <VisibleText text={one.excerpt} />
          </Code>
        ) : null}
      </li>
    ))}
  </ol>
);

const SUCCESS_LABELS = { true: "succeeded", false: "failed", null: "unknown" } as const;

const Receipts: FC<{ receipts: readonly Receipt[] }> = ({ receipts }) => (
  <ul class="plain-list small">
    {receipts.map((receipt) => (
      <li key={`${receipt.id}:${receipt.kind}`}>
        <code>{receipt.id}</code> {receipt.name} · {receipt.kind} · {SOURCE_LABELS[receipt.source]} · step{" "}
        {receipt.step_index + 1}
        {receipt.kind === "settled" ? ` · ${SUCCESS_LABELS[`${receipt.success}`]}` : ""}
        {receipt.proposed_digest ? " · arguments edited by a user or a hook" : ""}
        <br />
        <span class="quiet">
          <VisibleText text={receipt.summary} />
        </span>
      </li>
    ))}
  </ul>
);

const UsageLine: FC<{ usage: Usage | null; model: string | null }> = ({ usage, model }) => (
  <p class="small">
    {usage
      ? `${model ?? "model"}: ${pluralize(usage.model_calls, "request")}, ${formatNumber(usage.input_tokens)} tokens in, ${formatNumber(usage.output_tokens)} out, ${formatUsd(usage.usd)}`
      : "This turn made no model requests."}
  </p>
);

const PromptMessages: FC<{ api: Api; thread: string; turn: number }> = ({ api, thread, turn }) => {
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [error, setError] = useState("");
  const [requested, setRequested] = useState(false);
  if (!requested) {
    setRequested(true);
    void api.prompt(thread, turn).then((read) => (read.ok ? setPrompt(read.value) : setError(read.problem.message)));
  }
  if (error) return <p class="quiet">{error}</p>;
  if (!prompt) return <p class="quiet">Loading…</p>;
  return (
    <ol class="prompt-messages" start={0}>
      {prompt.messages.map((message, i) => (
        <li key={i}>
          <p class="quiet small">
            [{i}] {message.role} · {formatNumber(message.content.length)} characters
          </p>
          <LongText text={message.content} />
        </li>
      ))}
    </ol>
  );
};
