// Cases: the same call sent many times at once. It happens once, and everybody who gets an answer gets the same one.
import { equal, isTrue } from "../expect.ts";
import { createRaceThread, lookDecision, processOf, type RaceCase } from "./target.ts";

const RETRYABLE_CODES = ["turn_running", "thread_moved"];

export const answerCases: readonly RaceCase[] = [
  {
    name: "one call sent many times at once makes one turn and has one answer",
    run: async (target, { callers, rounds }) => {
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
          if (!answer.ok) isTrue(RETRYABLE_CODES.includes(answer.problem.code), `${answer.problem.code} tells to wait`);
        const again = await processOf(target, round).turn(request);
        isTrue(again.ok && again.replayed && bodies.has(again.body), "asked again it gets the same bytes");
      }
      equal((await processOf(target, 0).records(thread)).length, fewer + 1, "records");
    },
  },
  {
    name: "a key that comes with another request is refused, also while the first one runs",
    run: async (target, { callers }) => {
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
      const late = await processOf(target, 0).turn({
        thread,
        input: { type: "message", text: "something else" },
        key: "the same",
      });
      equal(late.ok ? "ok" : late.problem.code, "idempotency_mismatch");
      equal((await processOf(target, 0).records(thread)).length, 2, "records");
    },
  },
];
