// Every gate that waits for a person, across all threads.
import type { FC } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import { useStore } from "../client/store.ts";
import { Pill, useNow } from "../parts/bits.tsx";
import { ago, span } from "../parts/words.ts";
import type { Looker, OpenGate } from "./overview.ts";
import { threadHref } from "./route.ts";

const KINDS: Readonly<Record<Gate["kind"], string>> = {
  plan: "Plan to approve",
  question: "Question",
  confirmation: "Call to approve",
  doubt: "In doubt",
};

export const Inbox: FC<{ looker: Looker }> = ({ looker }) => {
  const { gates } = useStore(looker.store);
  const now = useNow(5000);
  useEffect(() => {
    document.title = "Inbox · Pawl";
    void looker.look();
  }, []);
  return (
    <div class="inbox">
      <h1>Inbox</h1>
      {gates.length === 0 ? (
        <p class="quiet">Nothing waits for you.</p>
      ) : (
        <ul class="gate-list">
          {gates.map((open) => (
            <GateRow key={open.gate.id} open={open} now={now} />
          ))}
        </ul>
      )}
    </div>
  );
};

const GateRow: FC<{ open: OpenGate; now: number }> = ({ open: { thread, goal, gate }, now }) => (
  <li>
    <a class="gate-row" href={threadHref(thread)}>
      <span class="row spread">
        <Pill tone="wait">{KINDS[gate.kind]}</Pill>
        <span class="quiet small">
          {gate.expires_at ? `expires in ${span(Date.parse(gate.expires_at) - now)}` : ago(gate.created_at, now)}
        </span>
      </span>
      <span class="gate-row-text">{gate.text}</span>
      <span class="quiet small">{goal}</span>
    </a>
  </li>
);
