// Cases for callers that compete for the next turn. One gets it; the others learn the current version.
import type { ThreadId } from "../../schema/ids.ts";
import { equal, isTrue } from "../expect.ts";
import { explainList, type ListOperation } from "../linearizable.ts";
import { testCase } from "../test-case.ts";
import {
  createRaceThread,
  lookDecision,
  processOf,
  type RaceAnswer,
  type RaceCase,
  type RaceTarget,
} from "./target.ts";

const versionIn = (answer: RaceAnswer): unknown => (answer.ok ? undefined : answer.problem.details?.version);

/** Spreads the messages, one per caller, over the processes. */
function sendMessages(target: RaceTarget, thread: ThreadId, callers: number, round: number, if_match?: number) {
  return Promise.all(
    Array.from({ length: callers }, (_, n) =>
      processOf(target, n).turn({
        thread,
        input: { type: "message", text: `message ${round}.${n}` },
        ...(if_match === undefined ? {} : { if_match }),
      }),
    ),
  );
}

function expectOneWinner(answers: readonly RaceAnswer[], version: number, refusals: readonly string[]): number {
  const winners = answers.flatMap((answer, n) => (answer.ok ? [n] : []));
  equal(winners.length, 1, "winners");
  for (const answer of answers) {
    if (answer.ok) equal(answer.outcome.thread.version, version, "the winner's version");
    else {
      isTrue(
        refusals.includes(answer.problem.code),
        `a loser gets ${refusals.join(" or ")}, not ${answer.problem.code}`,
      );
      if (answer.problem.code !== "turn_running") equal(versionIn(answer), version, "the version reported to a loser");
    }
  }
  return winners[0] ?? -1;
}

const loggedMessages = async (target: RaceTarget, thread: ThreadId): Promise<readonly string[]> =>
  (await processOf(target, 0).records(thread)).flatMap(({ entry }) =>
    entry.input?.type === "message" ? [entry.input.text] : [],
  );

export const turnCases: readonly RaceCase[] = [
  testCase(
    "of many callers with the same version exactly one wins each round, and the others learn the new version",
    async (target, { callers, rounds }) => {
      const thread = await createRaceThread(processOf(target, 0));
      const won: string[] = [];
      target.decide(lookDecision, callers);
      for (let round = 1; round <= rounds; round += 1) {
        const answers = await sendMessages(target, thread, callers, round);
        won.push(`message ${round}.${expectOneWinner(answers, round, ["thread_moved", "turn_running"])}`);
      }
      equal(await loggedMessages(target, thread), won, "the messages in the log");
      const records = await processOf(target, 1).records(thread);
      equal(
        records.map(({ version, entry }) => [version, entry.turn]),
        Array.from({ length: rounds + 1 }, (_, n) => [n, n]),
        "versions and turns",
      );
    },
  ),
  testCase("of many callers with If-Match exactly one wins each round", async (target, { callers, rounds }) => {
    const thread = await createRaceThread(processOf(target, 0));
    target.decide(lookDecision, 1);
    const fewer = Math.ceil(rounds / 4);
    for (let round = 1; round <= fewer; round += 1) {
      const answers = await sendMessages(target, thread, callers, round, round - 1);
      expectOneWinner(answers, round, ["thread_moved", "version_mismatch", "turn_running"]);
    }
    equal((await loggedMessages(target, thread)).length, fewer, "messages in the log");
  }),
  testCase("the reads and writes of a thread are linearizable", async (target, { callers, rounds }) => {
    const thread = await createRaceThread(processOf(target, 0));
    target.decide(lookDecision, 1);
    const operations: ListOperation[] = [];
    let tick = 0;
    const write = async (caller: number): Promise<void> => {
      for (let n = 0; n < Math.ceil(rounds / 8); n += 1) {
        const text = `message ${caller}.${n}`;
        const invoked = tick++;
        const answer = await processOf(target, caller).turn({ thread, input: { type: "message", text } });
        const outcome = answer.ok ? "ok" : "failed";
        operations.push({ id: text, invoked, done: tick++, kind: "append", values: [text], outcome });
      }
    };
    const read = async (reader: number): Promise<void> => {
      for (let n = 0; n < rounds; n += 1) {
        const invoked = tick++;
        const records = await processOf(target, reader).records(thread);
        const seen = records.flatMap(({ entry }) => (entry.input?.type === "message" ? [entry.input.text] : []));
        const id = `read ${reader}.${n}`;
        operations.push({ id, invoked, done: tick++, kind: "read", count: seen.length, last: seen.at(-1) ?? null });
      }
    };
    const writers = Array.from({ length: Math.ceil(callers / 4) }, (_, n) => write(n));
    await Promise.all([...writers, read(0), read(1)]);
    equal(explainList(await loggedMessages(target, thread), operations), [], "contradictions");
    isTrue(
      operations.some((operation) => operation.kind === "append" && operation.outcome === "ok"),
      "at least one caller wins",
    );
  }),
];
