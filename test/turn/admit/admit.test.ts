import { describe, expect, test } from "vitest";
import type { TurnInput } from "../../../src/schema/input.ts";
import { IntendedReceipt } from "../../../src/schema/receipt.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { admit } from "../../../src/turn/admit/admit.ts";
import { aReceipt, aState, idOf, TIMESTAMP } from "../../support/thread.ts";

const NOW = Date.parse(TIMESTAMP);
const later = (ms: number): string => new Date(NOW + ms).toISOString();
const gate_id = idOf("gat", 1) as never;
const digest = "the digest";

const stored = {
  name: "write",
  manifest_version: "1",
  effect: "unkeyed",
  arguments: {},
  arguments_blob: null,
  arguments_digest: "d",
  proposed_digest: null,
  thought: "",
};
const intended = (settle_by: string) =>
  IntendedReceipt.parse({ ...aReceipt(), kind: "intended", settle_by, success: null, effect_id: idOf("eff", 1) });
const acting = (settle_by: string, cancel_requested = false) => ({
  call: stored,
  intended: intended(settle_by),
  cancel_requested,
});
const head = { id: gate_id, text: "?", created_at: TIMESTAMP, expires_at: null, version: 1 };
const question = { ...head, kind: "question", choices: ["a", "b"], default: null };
const confirmation = { ...head, kind: "confirmation", digest, call: stored, reasons: [] };
const planGate = { ...head, kind: "plan", digest, steps: [] };
const doubt = { ...head, kind: "doubt", call: stored, intended: intended(TIMESTAMP) };
const over = { expires_at: later(-1) };

const at = (state: string, inner: string | null, more: object = {}, machine: object = {}): ThreadState =>
  aState({ machine: { state, at: inner, ...machine }, ...more });

const INPUTS = {
  none: null,
  message: { type: "message", text: "hello" },
  answer: { type: "answer", gate_id, choice: "a" },
  confirm: { type: "confirm", gate_id, digest, decision: "approve" },
  resolve: { type: "resolve", gate_id, outcome: "happened" },
  cancel: { type: "cancel" },
  reset: { type: "reset" },
} satisfies Record<string, TurnInput | null>;

/** The result of each input, in the order of INPUTS: either what the turn has to do, or the problem. */
const TABLE: readonly (readonly [string, ThreadState, string])[] = [
  ["plan.thinking", at("plan", "thinking"), "think think gate_closed gate_closed gate_closed cancel signal_refused"],
  [
    "execute.deciding",
    at("execute", "deciding"),
    "think think gate_closed gate_closed gate_closed cancel signal_refused",
  ],
  [
    "deliver",
    at("deliver", null),
    "deliver delivery_pending gate_closed gate_closed gate_closed cancel signal_refused",
  ],
  ["rest", at("rest", null), "nothing_to_do begin gate_closed gate_closed gate_closed nothing_to_do signal_refused"],
  ["failed", at("failed", null), "thread_failed thread_failed thread_failed thread_failed thread_failed cancel reset"],
  [
    "a question",
    at("execute", "asking", { gate: question }),
    "gate_open reply reply gate_mismatch gate_mismatch cancel signal_refused",
  ],
  [
    "an expired question",
    at("plan", "asking", { gate: { ...question, ...over } }),
    "expire_question gate_expired gate_expired gate_expired gate_expired cancel signal_refused",
  ],
  [
    "a plan that waits for approval",
    at("plan", "approving", { gate: planGate }),
    "gate_open gate_open gate_mismatch approve_plan gate_mismatch cancel signal_refused",
  ],
  [
    "a call that waits for approval",
    at("confirm", "waiting", { gate: confirmation }),
    "gate_open gate_open gate_mismatch approve_call gate_mismatch cancel signal_refused",
  ],
  [
    "a call whose gate expired",
    at("confirm", "waiting", { gate: { ...confirmation, ...over } }),
    "reject_call gate_expired gate_expired gate_expired gate_expired cancel signal_refused",
  ],
  [
    "a call in doubt",
    at("confirm", "doubting", { gate: doubt, acting: acting(TIMESTAMP) }),
    "gate_open gate_open gate_mismatch gate_mismatch resolve resolve signal_refused",
  ],
  [
    "a running call",
    at("confirm", "acting", { acting: acting(later(1000)) }),
    "turn_running turn_running turn_running turn_running turn_running request_cancel turn_running",
  ],
  [
    "a running call with a cancel request",
    at("confirm", "acting", { acting: acting(later(1000), true) }),
    "turn_running turn_running turn_running turn_running turn_running turn_running turn_running",
  ],
  [
    "a call that was not settled in time",
    at("confirm", "acting", { acting: acting(later(-1)) }),
    "reconcile turn_running turn_running turn_running turn_running request_cancel turn_running",
  ],
];

describe("input by state", () => {
  test.each(TABLE)("%s", (_name, state, expected) => {
    const said = Object.values(INPUTS).map((input) => {
      const admitted = admit(state, input, null, NOW);
      return admitted.ok ? admitted.value.kind : admitted.problem.code;
    });
    expect(said.join(" ")).toBe(expected);
  });

  test("an exhausted run resumes only with a budget that is high enough", () => {
    const used = { turns: 60, tokens: 0, usd: 0, seconds: 0 };
    const state = (turns: number) => {
      const budget = { limit: { turns, tokens: null, usd: null, seconds: null }, used };
      return at("rest", null, { budget }, { outcome: "exhausted", back: "execute" });
    };
    expect(admit(state(61), null, { turns: 61 }, NOW)).toMatchObject({ ok: true, value: { kind: "resume" } });
    expect(admit(state(60), null, { turns: 60 }, NOW)).toMatchObject({ problem: { code: "budget_exhausted" } });
    expect(admit(state(61), null, null, NOW)).toMatchObject({ problem: { code: "nothing_to_do" } });
  });

  test("an answer to another gate fails with gate_closed, even if the open one has expired", () => {
    const other = { type: "answer", gate_id: idOf("gat", 2) as never, text: "x" } as const;
    for (const gate of [question, { ...question, ...over }])
      expect(admit(at("execute", "asking", { gate }), other, null, NOW)).toMatchObject({
        problem: { code: "gate_closed" },
      });
  });

  test("a wrong digest is refused for both an approval and a rejection", () => {
    for (const decision of ["approve", "reject"] as const) {
      const input = { type: "confirm", gate_id, digest: "another", decision } as const;
      for (const state of [
        at("confirm", "waiting", { gate: confirmation }),
        at("plan", "approving", { gate: planGate }),
      ])
        expect(admit(state, input, null, NOW)).toMatchObject({ problem: { code: "digest_mismatch" } });
    }
  });
});
