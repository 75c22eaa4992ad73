// Plays a whole thread the way a person would: approves plans and writes, answers questions, as told. Bounded.
import type { TurnInput } from "../../src/schema/input.ts";
import type { TurnOutcome } from "../../src/schema/outcome.ts";
import type { Result } from "../../src/schema/problem.ts";

export type Person = {
  /** Each is used once; then everything is approved. A text rejects with that reason. */
  readonly plans?: readonly (true | string)[];
  readonly writes?: readonly (true | string)[];
  /** In turn; a number picks that choice, counted from 1. */
  readonly answers?: readonly (string | number)[];
};

const TURNS_MAX = 60;

/** Every outcome from here to the end of the run. */
export async function play(
  turn: (input: TurnInput | null) => Promise<Result<TurnOutcome>>,
  person: Person = {},
  first: TurnInput | null = null,
): Promise<readonly TurnOutcome[]> {
  const plans = [...(person.plans ?? [])];
  const writes = [...(person.writes ?? [])];
  const answers = [...(person.answers ?? [])];
  const outcomes: TurnOutcome[] = [];
  let input = first;
  for (let n = 0; n < TURNS_MAX; n++) {
    const made = await turn(input);
    if (!made.ok) throw new Error(`${made.problem.code}: ${made.problem.message}`);
    outcomes.push(made.value);
    const { thread } = made.value;
    if (thread.state === "rest" || thread.state === "failed") return outcomes;
    const { gate } = thread;
    if (!gate) input = null;
    else if (gate.kind === "question") input = answer(gate, answers.shift());
    else if (gate.kind === "plan") input = verdict(gate, plans.shift() ?? true);
    else if (gate.kind === "confirmation") input = verdict(gate, writes.shift() ?? true);
    else throw new Error("a doubt gate is not for this player");
  }
  throw new Error(`The run did not end within ${TURNS_MAX} turns.`);
}

function verdict(gate: { id: string; digest: string }, said: true | string): TurnInput {
  const base = { type: "confirm", gate_id: gate.id, digest: gate.digest } as Extract<TurnInput, { type: "confirm" }>;
  return said === true ? { ...base, decision: "approve" } : { ...base, decision: "reject", reason: said };
}

function answer(gate: { id: string; choices: readonly string[]; text: string }, said: string | number | undefined) {
  if (said === undefined) throw new Error(`Nobody told the player what to answer to: ${gate.text}`);
  const base = { type: "answer", gate_id: gate.id } as Extract<TurnInput, { type: "answer" }>;
  return typeof said === "string" ? { ...base, text: said } : { ...base, choice: gate.choices[said - 1] ?? "" };
}
