// The page of a confirmation link, without scripts and external resources. All text is escaped.
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import { escapeHidden } from "../../tools/redaction/escape-hidden.ts";
import { escapeHtml, htmlPage } from "./html.ts";

/** The content security policy of the server's other pages, except that a form may be submitted. */
export const CONFIRM_PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

type DecisionGate = Extract<Gate, { kind: "plan" | "confirmation" }>;

const visibleHtml = (text: string): string => escapeHtml(escapeHidden(text));

const FORM = `<form method="post" autocomplete="off">
<p><label>Reason, if you reject it: <input name="reason" maxlength="500" size="40"></label></p>
<p><button name="decision" value="approve">Approve</button> <button name="decision" value="reject">Reject</button></p>
</form>`;

export function confirmPage(goal: string, gate: DecisionGate, until: string): string {
  const details = gate.kind === "plan" ? planHtml(gate) : callHtml(gate);
  const body = [
    "<h1>Do you want this to happen?</h1>",
    `<p>${visibleHtml(gate.text)}</p>`,
    ...(gate.kind === "confirmation" && gate.preview ? [`<pre>${visibleHtml(gate.preview)}</pre>`] : []),
    `<p class="soft">Goal: ${visibleHtml(goal)}</p>`,
    details,
    `<p class="soft">Nothing happens before you press a button. This link works once, until ${escapeHtml(until)}.</p>`,
    FORM,
  ];
  return htmlPage("Confirm", body.join("\n"));
}

const planHtml = (gate: Extract<Gate, { kind: "plan" }>): string =>
  `<section><h3>The plan</h3><ol>${gate.steps.map(({ content }) => `<li>${visibleHtml(content)}</li>`).join("")}</ol></section>`;

function callHtml(gate: Extract<Gate, { kind: "confirmation" }>): string {
  const argumentsText =
    gate.call.arguments === null ? gate.shown : escapeHidden(JSON.stringify(gate.call.arguments, null, 2));
  const reasons = gate.reasons.map(({ text }) => `<li>${visibleHtml(text)}</li>`).join("");
  return [
    `<section><h3><code>${visibleHtml(gate.call.name)}</code></h3><pre>${escapeHtml(argumentsText)}</pre>`,
    reasons ? `<p>You are asked because:</p><ul>${reasons}</ul>` : "",
    "</section>",
  ].join("");
}

export const donePage = (title: string, text: string): string =>
  htmlPage(title, `<h1>${escapeHtml(title)}</h1><p>${visibleHtml(text)}</p>`);

export const problemPage = ({ message, hint }: Problem): string =>
  htmlPage(
    "Not possible",
    `<h1>Not possible</h1><p>${visibleHtml(message)}</p><p class="soft">${escapeHtml(hint)}</p>`,
  );
