// Runs a whole thread as a user would: approves plans and writes and answers questions as specified. The number of
// turns is limited.
import type { TurnInput } from "../../src/schema/input.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { TurnResult } from "../../src/schema/turn-result.ts";

export type UserScript = {
  /**
   * The answers to plan gates, each used once. After them, everything is approved. A string rejects with that reason.
   */
  readonly plans?: readonly (true | string)[];
  readonly writes?: readonly (true | string)[];
  /** The answers to questions, used in order. A number selects that choice, counted from 1. */
  readonly answers?: readonly (string | number)[];
};

const TURNS_MAX = 60;

/** Returns every outcome from here to the end of the run. */
export async function runToEnd(
  turn: (input: TurnInput | null) => Promise<Result<TurnResult>>,
  script: UserScript = {},
  first: TurnInput | null = null,
): Promise<readonly TurnResult[]> {
  const plans = [...(script.plans ?? [])];
  const writes = [...(script.writes ?? [])];
  const answers = [...(script.answers ?? [])];
  const outcomes: TurnResult[] = [];
  let input = first;
  for (let n = 0; n < TURNS_MAX; n++) {
    const result = await turn(input);
    if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
    outcomes.push(result.value);
    const { thread } = result.value;
    if (thread.state === "rest" || thread.state === "failed") return outcomes;
    const { gate } = thread;
    if (!gate) input = null;
    else if (gate.kind === "question") input = answerInput(gate, answers.shift());
    else if (gate.kind === "plan") input = confirmInput(gate, plans.shift() ?? true);
    else if (gate.kind === "confirmation") input = confirmInput(gate, writes.shift() ?? true);
    else throw new Error("doubt gates are not supported here");
  }
  throw new Error(`The run did not end within ${TURNS_MAX} turns.`);
}

function confirmInput(gate: { id: string; digest: string }, reply: true | string): TurnInput {
  const base = { type: "confirm", gate_id: gate.id, digest: gate.digest } as Extract<TurnInput, { type: "confirm" }>;
  return reply === true ? { ...base, decision: "approve" } : { ...base, decision: "reject", reason: reply };
}

function answerInput(
  gate: { id: string; choices: readonly string[]; text: string },
  reply: string | number | undefined,
) {
  if (reply === undefined) throw new Error(`No answer was given for the question: ${gate.text}`);
  const base = { type: "answer", gate_id: gate.id } as Extract<TurnInput, { type: "answer" }>;
  return typeof reply === "string" ? { ...base, text: reply } : { ...base, choice: gate.choices[reply - 1] ?? "" };
}
