import { describe, expect, test } from "vitest";
import type { ExecuteDecision } from "../../../src/schema/decision/decision.ts";
import type { Budget } from "../../../src/schema/thread.ts";
import { budgetShortfall, judgeSafety, NO_COST } from "../../../src/turn/judge/judge-safety.ts";
import { aCall, anUnknownCall, look } from "../../support/prepared-calls.ts";
import { aManifest, aState, digestOf } from "../../support/thread.ts";

const going: ExecuteDecision = { action: "continue", tool_call: { name: "query_range", arguments: { day: 4 } } };
const idling: ExecuteDecision = { action: "continue", speak: "I will go on." };

describe("the budget", () => {
  const budget = (limit: Partial<Budget["limit"]>, used: Partial<Budget["used"]>): Budget => ({
    limit: { turns: 60, tokens: null, usd: null, seconds: null, ...limit },
    used: { turns: 0, tokens: 0, usd: 0, seconds: 0, ...used },
  });

  test("of turns is used up after the last one", () => {
    expect(budgetShortfall(budget({ turns: 60 }, { turns: 59 }), NO_COST)).toBeNull();
    expect(budgetShortfall(budget({ turns: 60 }, { turns: 60 }), NO_COST)).toBe("all 60 turns of this run are used");
  });

  test("of tokens must cover the worst case of the next call, to the token", () => {
    const next = { tokens: 400, usd: 0 };
    expect(budgetShortfall(budget({ tokens: 1000 }, { tokens: 600 }), next)).toBeNull();
    expect(budgetShortfall(budget({ tokens: 1000 }, { tokens: 601 }), next)).toBe(
      "601 of 1000 tokens are used and the next call may need 400",
    );
  });

  test("of money must cover the worst case of the next call", () => {
    const next = { tokens: 0, usd: 0.25 };
    expect(budgetShortfall(budget({ usd: 1 }, { usd: 0.75 }), next)).toBeNull();
    expect(budgetShortfall(budget({ usd: 1 }, { usd: 0.76 }), next)).toBe(
      "0.7600 of 1 USD are used and the next call may cost 0.2500",
    );
  });

  test("of seconds ends when they are used up", () => {
    expect(budgetShortfall(budget({ seconds: 30 }, { seconds: 29.9 }), NO_COST)).toBeNull();
    expect(budgetShortfall(budget({ seconds: 30 }, { seconds: 30 }), NO_COST)).toBe(
      "all 30 seconds of this run are used",
    );
  });

  test("without a limit never runs out", () => {
    const spent = budget({}, { tokens: 1e9, usd: 1e6, seconds: 1e6 });
    expect(budgetShortfall(spent, { tokens: 1e9, usd: 1e6 })).toBeNull();
  });
});

describe("a repeated call", () => {
  const after = (last_digest: string | null) => aState({ last_digest });

  test("with the same arguments and no other receipt in between is refused", () => {
    expect(judgeSafety(going, after(digestOf("query_range", { day: 4 })), aCall(look))).toEqual({
      passed: false,
      reason: "query_range with the same arguments was the last thing done; use what it gave, or change the arguments.",
    });
  });

  test("with other arguments passes", () => {
    const call = aCall(look, { arguments: { day: 5 } });
    expect(judgeSafety(going, after(digestOf("query_range", { day: 4 })), call).passed).toBe(true);
  });

  test("passes after another receipt", () => {
    expect(judgeSafety(going, after(digestOf("place", { day: 4 })), aCall(look)).passed).toBe(true);
  });

  test("passes if there is no receipt yet", () => {
    expect(judgeSafety(going, after(null), aCall(look)).passed).toBe(true);
  });

  test("is compared after the hooks ran, not as the model wrote it", () => {
    const hooked = aCall(look, { arguments: { day: 4 }, proposed_digest: digestOf("query_range", { day: 9 }) });
    expect(judgeSafety(going, after(digestOf("query_range", { day: 4 })), hooked).passed).toBe(false);
    expect(judgeSafety(going, after(digestOf("query_range", { day: 9 })), hooked).passed).toBe(true);
  });

  test("of a tool that proves nothing is allowed any number of times", () => {
    const time = aManifest({ name: "time", proves: false });
    expect(judgeSafety(going, after(digestOf("time", { day: 4 })), aCall(time)).passed).toBe(true);
  });
});

describe("turns without a tool", () => {
  test.each([0, 1])("after %i of them one more passes", (idle) => {
    expect(judgeSafety(idling, aState({ idle }), null).passed).toBe(true);
  });

  test("the third in a row is refused", () => {
    expect(judgeSafety(idling, aState({ idle: 2 }), null)).toEqual({
      passed: false,
      reason: "2 turns in a row used no tool; call one, ask the user, or finish.",
    });
  });

  test("a call resets the count", () => {
    expect(judgeSafety(going, aState({ idle: 2 }), aCall(look)).passed).toBe(true);
  });

  test.each<ExecuteDecision>([
    { action: "ask_user", speak: "Which week?" },
    { action: "next_plan", goal_check: "seen" },
    { action: "done", goal_check: "placed" },
    { action: "abort", abort: { user_message: "It cannot be done." } },
  ])("$action does not count as idle", (decision) => {
    expect(judgeSafety(decision, aState({ idle: 2 }), null).passed).toBe(true);
  });
});

describe("a disabled tool", () => {
  test("is refused with the reason why it is disabled", () => {
    expect(judgeSafety(going, aState(), anUnknownCall("place", { disabled: "thread_off" }))).toEqual({
      passed: false,
      reason: "The tool place is switched off (thread_off); choose another way.",
    });
  });

  test("passes once it is enabled", () => {
    expect(judgeSafety(going, aState(), aCall(look)).passed).toBe(true);
  });
});
