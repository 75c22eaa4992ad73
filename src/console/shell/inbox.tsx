// All open gates, across all threads.
import type { FC } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import { useStore } from "../client/store.ts";
import { Pill, useNow } from "../parts/components.tsx";
import { formatAgo, formatDuration } from "../parts/format.ts";
import type { OpenGate, OverviewController } from "./overview.ts";
import { threadHref } from "./route.ts";

const GATE_LABELS: Readonly<Record<Gate["kind"], string>> = {
  plan: "Plan approval",
  question: "Question",
  confirmation: "Call approval",
  doubt: "Unknown result",
  external: "Result of the client",
};

export const Inbox: FC<{ overview: OverviewController }> = ({ overview }) => {
  const { gates } = useStore(overview.store);
  const now = useNow(5000);
  useEffect(() => {
    document.title = "Inbox · Pawl";
    void overview.refresh();
  }, []);
  return (
    <div class="inbox">
      <h1>Inbox</h1>
      {gates.length === 0 ? (
        <p class="quiet">Nothing is waiting for you.</p>
      ) : (
        <ul class="gate-list">
          {gates.map((open) => (
            <GateRow key={open.gate.id} openGate={open} now={now} />
          ))}
        </ul>
      )}
    </div>
  );
};

const GateRow: FC<{ openGate: OpenGate; now: number }> = ({ openGate: { thread, goal, gate }, now }) => (
  <li>
    <a class="gate-row" href={threadHref(thread)}>
      <span class="row spread">
        <Pill tone="wait">{GATE_LABELS[gate.kind]}</Pill>
        <span class="quiet small">
          {gate.expires_at
            ? `expires in ${formatDuration(Date.parse(gate.expires_at) - now)}`
            : formatAgo(gate.created_at, now)}
        </span>
      </span>
      <span class="gate-row-text">{gate.text}</span>
      <span class="quiet small">{goal}</span>
    </a>
  </li>
);
