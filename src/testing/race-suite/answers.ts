// Cases for one request sent many times concurrently. It takes effect once, and all callers get the same response.
import { equal, isTrue } from "../expect.ts";
import { testCase } from "../test-case.ts";
import { createRaceThread, lookDecision, processOf, type RaceCase } from "./target.ts";

const RETRYABLE_CODES = ["turn_running", "thread_moved"];

export const answerCases: readonly RaceCase[] = [
  testCase(
    "a request sent many times concurrently creates one turn and gets one response",
    async (target, { callers, rounds }) => {
      const thread = await createRaceThread(processOf(target, 0));
      target.decide(lookDecision, 1);
      const fewer = Math.ceil(rounds / 4);
      for (let round = 1; round <= fewer; round += 1) {
        const request = { thread, input: { type: "message" as const, text: `message ${round}` }, key: `key ${round}` };
        const answers = await Promise.all(
          Array.from({ length: callers }, (_, n) => processOf(target, n).turn(request)),
        );
        const bodies = new Set(answers.flatMap((answer) => (answer.ok ? [answer.body] : [])));
        equal(bodies.size, 1, "different answers");
        for (const answer of answers)
          if (!answer.ok)
            isTrue(RETRYABLE_CODES.includes(answer.problem.code), `${answer.problem.code} asks the caller to retry`);
        const again = await processOf(target, round).turn(request);
        isTrue(again.ok && again.replayed && bodies.has(again.body), "a repeated request gets the identical response");
      }
      equal((await processOf(target, 0).records(thread)).length, fewer + 1, "records");
    },
  ),
  testCase(
    "an idempotency key reused for another request is refused, even while the first one runs",
    async (target, { callers }) => {
      const thread = await createRaceThread(processOf(target, 0));
      target.decide(lookDecision, 1);
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, n) =>
          processOf(target, n).turn({ thread, input: { type: "message", text: `message ${n}` }, key: "the same" }),
        ),
      );
      equal(answers.filter((answer) => answer.ok).length, 1, "winners");
      for (const answer of answers) {
        if (answer.ok) continue;
        isTrue(
          [...RETRYABLE_CODES, "idempotency_mismatch"].includes(answer.problem.code),
          `${answer.problem.code} is a refusal`,
        );
      }
      const other = { type: "message", text: "something else" } as const;
      const late = await processOf(target, 0).turn({ thread, input: other, key: "the same" });
      equal(late.ok ? "ok" : late.problem.code, "idempotency_mismatch");
      equal((await processOf(target, 0).records(thread)).length, 2, "records");
    },
  ),
];
