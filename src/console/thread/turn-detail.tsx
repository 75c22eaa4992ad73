// Shows all recorded details of one turn: decision, judgement, receipts, usage, corrections, and the exact prompt.
import type { Child, FC } from "hono/jsx/dom";
import type { Judgement } from "../../schema/judgement.ts";
import type { Receipt } from "../../schema/receipt.ts";
import type { Correction, Usage } from "../../schema/record.ts";
import type { Api } from "../client/api.ts";
import { useLoaded } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, LongText, VisibleJson, VisibleText } from "../parts/components.tsx";
import { formatBytes, formatDateTime, formatNumber, formatUsd, successLabel } from "../parts/format.ts";
import { problemSentence } from "../parts/problem-card.tsx";
import { receiptHref } from "../shell/route.ts";
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
        {t().turn.facts(
          formatDateTime(turn.at),
          turn.records[0]?.actor ?? "",
          turn.records.length,
          formatBytes(storedBytes(turn)),
        )}
      </p>
      {decision ? (
        <DetailSection title={decision.for === "plan" ? t().turn.plannerDecision : t().turn.modelDecision}>
          <Code class="tool-args">
            <VisibleJson value={decision.value} />
          </Code>
        </DetailSection>
      ) : null}
      {judgement ? (
        <DetailSection title={t().turn.judgement}>
          <Verdicts judgement={judgement} />
        </DetailSection>
      ) : null}
      {corrections.length > 0 ? (
        <DetailSection title={t().turn.corrections}>
          <Corrections corrections={corrections} />
        </DetailSection>
      ) : null}
      {receipts.length > 0 ? (
        <DetailSection title={t().turn.receipts(receipts.length)}>
          <Receipts receipts={receipts} thread={thread} />
        </DetailSection>
      ) : null}
      <DetailSection title={t().turn.usage}>
        <UsageLine usage={usageOf(turn)} model={model} />
      </DetailSection>
      {model ? (
        <Disclosure label={t().turn.prompt}>
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
          {t().turn.verdicts[name]}{" "}
          <span class="sr-only">{judgement[name].passed ? t().turn.passed : t().turn.failed}</span>
        </dt>
        <dd>{t().turn.written(judgement[name].reason)}</dd>
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

const Receipts: FC<{ receipts: readonly Receipt[]; thread: string }> = ({ receipts, thread }) => (
  <ul class="plain-list small">
    {receipts.map((receipt) => (
      <li key={`${receipt.id}:${receipt.kind}`}>
        <code>{receipt.name}</code> · {t().turn.receiptKinds[receipt.kind]} · {t().labels.sources[receipt.source]} ·{" "}
        {t().turn.stepNumber(receipt.step_index + 1)}
        {receipt.kind === "settled" ? ` · ${successLabel(receipt)}` : ""}
        {receipt.proposed_digest ? ` · ${t().turn.editedArguments}` : ""}
        {" · "}
        <a href={receiptHref(thread, receipt.id)}>{t().turn.receiptLink}</a>
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
      ? t().turn.usageLine(
          model ?? t().turn.model,
          usage.model_calls,
          formatNumber(usage.input_tokens),
          formatNumber(usage.output_tokens),
          formatUsd(usage.usd),
        )
      : t().turn.noRequests}
  </p>
);

const PromptMessages: FC<{ api: Api; thread: string; turn: number }> = ({ api, thread, turn }) => {
  const { value: prompt, problem } = useLoaded(() => api.prompt(thread, turn), [thread, turn]);
  if (problem) return <p class="quiet">{problemSentence(problem)}</p>;
  if (!prompt) return <p class="quiet">{t().common.loading}</p>;
  return (
    <ol class="prompt-messages" start={0}>
      {prompt.messages.map((message, i) => (
        <li key={i}>
          <p class="quiet small">{t().turn.promptMessage(i, message.role, formatNumber(message.content.length))}</p>
          <LongText text={message.content} />
        </li>
      ))}
    </ol>
  );
};
