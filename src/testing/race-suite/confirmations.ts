// Cases for confirmations. A confirmation can be used once, for one call only.
import type { ConfirmationGate } from "../../schema/gate.ts";
import { GateId, TenantId, type ThreadId } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { equal, isTrue } from "../expect.ts";
import { testCase } from "../test-case.ts";
import {
  createRaceThread,
  type DigestedCall,
  processOf,
  type RaceCase,
  type RaceTarget,
  writeDecision,
} from "./target.ts";

const LOST_RACE_CODES = ["thread_moved", "turn_running", "gate_closed"];

/** The thread's next turn must stop at a confirmation. */
async function openConfirmationGate(target: RaceTarget, thread: ThreadId): Promise<ConfirmationGate> {
  target.decide(writeDecision, 1);
  const answer = await processOf(target, 0).turn({ thread, input: null });
  if (!answer.ok) throw new Error(`no gate: ${answer.problem.message}`);
  const { gate } = answer.outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("the thread does not wait for a confirmation");
  return gate;
}

const confirm = (gate: ConfirmationGate, decision: "approve" | "reject"): Extract<TurnInput, { type: "confirm" }> => ({
  type: "confirm",
  gate_id: gate.id,
  digest: gate.digest,
  decision,
});

async function race(target: RaceTarget, thread: ThreadId, inputs: readonly TurnInput[]) {
  const answers = await Promise.all(
    inputs.map((input, n) => processOf(target, n).turn({ thread, input, key: `${n} of ${JSON.stringify(input)}` })),
  );
  return inputs.flatMap((input, n) => {
    const answer = answers[n];
    if (answer?.ok) return [input];
    const code = answer?.problem.code ?? "nothing";
    isTrue([...LOST_RACE_CODES, "nothing_to_do"].includes(code), `${code} reports that it was too late`);
    return [];
  });
}

export const confirmationCases: readonly RaceCase[] = [
  testCase(
    "of many concurrent approvals one is used, and the call runs once",
    async (target, { approvers, rounds }) => {
      const thread = await createRaceThread(processOf(target, 0));
      for (let round = 1; round <= rounds; round += 1) {
        const gate = await openConfirmationGate(target, thread);
        const approvals = Array.from({ length: approvers }, () => confirm(gate, "approve"));
        const won = await race(target, thread, approvals);
        equal(won.length, 1, "accepted approvals");
        equal(target.effects(), round, "effects");
      }
    },
  ),
  testCase(
    "of concurrent approvals, rejections and cancellations one decides, and the log matches the effects",
    async (target, { approvers, rounds }) => {
      for (let round = 1; round <= Math.ceil(rounds / 8); round += 1) {
        const thread = await createRaceThread(processOf(target, 0));
        const before = target.effects();
        const gate = await openConfirmationGate(target, thread);
        const choices: TurnInput[] = [confirm(gate, "approve"), confirm(gate, "reject"), { type: "cancel" }];
        const inputs = Array.from(
          { length: approvers },
          (_, n): TurnInput => choices[(n + round) % 3] ?? { type: "cancel" },
        );
        const won = await race(target, thread, inputs);
        const approved = won.filter((input) => input.type === "confirm" && input.decision === "approve").length;
        equal(won.filter((input) => input.type === "confirm").length <= 1, true, "one answer to the gate");
        equal(target.effects() - before, approved, "effects");
        const closed = (await processOf(target, 0).records(thread)).flatMap(({ entry }) => entry.closed_gate ?? []);
        equal(closed.length, 1, "gates closed");
        equal(closed[0]?.how === "approved", approved === 1, "the log says that it was approved");
      }
    },
  ),
  testCase("a confirmation for a different call is never accepted, and nothing runs", async (target, { mutations }) => {
    const thread = await createRaceThread(processOf(target, 0));
    const gate = await openConfirmationGate(target, thread);
    const shown: DigestedCall = {
      tenant: target.tenant,
      thread,
      version: gate.version,
      tool: gate.call.name,
      manifest_version: gate.call.manifest_version,
      arguments: gate.call.arguments ?? {},
    };
    equal(target.digest(shown), gate.digest, "the digest of what is shown");
    for (let n = 0; n < mutations; n += 1) await refuseMutation(target, thread, gate, shown, n);
    equal(target.effects(), 0, "effects");
    equal((await processOf(target, 0).records(thread)).length, gate.version + 1, "records");
    const { line, extra } = shown.arguments;
    equal(target.digest({ ...shown, arguments: { extra, line } }), gate.digest, "the digest with reordered keys");
    const right = await processOf(target, 1).turn({ thread, input: confirm(gate, "approve") });
    equal(right.ok, true, "the correct one is accepted");
    equal(target.effects(), 1, "effects");
  }),
];

async function refuseMutation(
  target: RaceTarget,
  thread: ThreadId,
  gate: ConfirmationGate,
  shown: DigestedCall,
  n: number,
): Promise<void> {
  const wrong = mutate(shown, n);
  const input = confirm(gate, "approve");
  const request = wrong
    ? { thread, input: { ...input, digest: target.digest(wrong) } }
    : { thread, input, ...mismatchedRequest(target, input, n) };
  if (wrong)
    isTrue(
      request.input.type === "confirm" && request.input.digest !== gate.digest,
      `mutation ${n} has a different digest`,
    );
  const answer = await processOf(target, n).turn(request);
  const code = answer.ok ? "ok" : answer.problem.code;
  const expected = ["digest_mismatch", "gate_closed", "thread_not_found", "version_mismatch", "arguments_invalid"];
  isTrue(expected.includes(code), `mutation ${n} is refused, not ${code}: ${JSON.stringify(request)}`);
}

/** Changes one part of the call. Null if `n` stands for a mistake that the digest does not cover. */
function mutate(shown: DigestedCall, n: number): DigestedCall | null {
  const { line, extra } = shown.arguments;
  const text = String(line);
  const args = (change: Record<string, unknown>): DigestedCall => ({ ...shown, arguments: { line, extra, ...change } });
  switch (n % 12) {
    case 0:
      return { ...shown, tenant: `${shown.tenant}${n}` };
    case 1:
      return { ...shown, thread: `${shown.thread.slice(0, -6)}${String(n).padStart(6, "0")}` };
    case 2:
      return { ...shown, version: shown.version + 1 + n };
    case 3:
      return { ...shown, tool: n % 24 === 3 ? "look" : `write${n}` };
    case 4:
      return { ...shown, manifest_version: `${shown.manifest_version}.${n}` };
    case 5:
      return args({ line: `${text}${" ".repeat(1 + (n % 40))}` });
    case 6:
      return args({ line: text.replace(/./, String.fromCharCode(0x3b1 + (n % 600))) });
    case 7:
      // The two spellings look identical: one is composed, the other decomposed.
      return args({ line: n % 24 === 7 ? `${text}\u00e9${n}` : `${text}e\u0301${n}` });
    case 8:
      return args({ extra: n });
    case 9:
      return args({ [`more${n}`]: null });
    default:
      return null;
  }
}

/** The correct digest with another gate, tenant or version, or with arguments that do not match. */
function mismatchedRequest(target: RaceTarget, input: Extract<TurnInput, { type: "confirm" }>, n: number) {
  switch (n % 4) {
    case 0:
      return { input: { ...input, gate_id: GateId.parse(`gat_${String(n).padStart(26, "0")}`) } };
    case 1:
      return { tenant: TenantId.parse(`${target.tenant}-${n}`) };
    case 2:
      return { if_match: n + 1000 };
    default:
      return { input: { ...input, edited_arguments: { line: n } } };
  }
}
