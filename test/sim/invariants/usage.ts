// I22: a turn is charged for what the model really used: the tokens of every reply, including corrections, and its
// time.
import type { Evidence } from "../evidence.ts";
import type { LoggedPrompt } from "../model.ts";

const CALLS_MAX = 3;
/** Times are stored in milliseconds. */
const ROUNDING_S = 0.002;

type UsedTokens = {
  /** The shortest time that such a turn took, by calls, input tokens and output tokens. */
  readonly seconds: ReadonlyMap<string, number>;
  /** The numbers of calls in which at least one reported no usage, so that their tokens are estimated. */
  readonly estimated: ReadonlySet<number>;
};

export function usageMatchesModel({ threads, prompts, clockJumped }: Evidence): readonly string[] {
  const used = usedTokens(prompts);
  return threads.flatMap(({ at, records }) =>
    records.flatMap(({ version, entry, state }, i) => {
      const { usage } = entry;
      const corrected = entry.corrections.length;
      if (!usage)
        return corrected > 0 || entry.decision ? [`I22 ${at.thread}: record ${version} is charged nothing`] : [];
      if (usage.model_calls < corrected || usage.model_calls > corrected + (writesDelivery(entry) ? 2 : 1))
        return [
          `I22 ${at.thread}: record ${version} counts ${usage.model_calls} replies with ${corrected} corrections`,
        ];
      if (used.estimated.has(usage.model_calls)) return [];
      const least = used.seconds.get(`${usage.model_calls} ${usage.input_tokens} ${usage.output_tokens}`);
      if (least === undefined)
        return [`I22 ${at.thread}: record ${version} is charged ${JSON.stringify(usage)}, which no model used`];
      const before = records[i - 1];
      const earlier = before && before.entry.run === entry.run ? before.state.budget.used.seconds : 0;
      const charged = state.budget.used.seconds - earlier;
      return clockJumped || charged >= least - ROUNDING_S
        ? []
        : [`I22 ${at.thread}: record ${version} is charged ${charged} s, and the model took ${least} s`];
    }),
  );
}

/** Reports whether the record also delivers the run, with text that is not part of the decision. */
const writesDelivery = ({ signals, decision }: Evidence["threads"][number]["records"][number]["entry"]): boolean =>
  ["run.finished", "run.delivered"].every((signal) => signals.some((one) => one === signal)) &&
  !(decision && "delivery" in decision.value);

function usedTokens(prompts: readonly LoggedPrompt[]): UsedTokens {
  const seconds = new Map<string, number>();
  const estimated = new Set<number>();
  const byTurn = Map.groupBy(prompts, ({ turn }) => turn);
  for (const [turn, replies] of byTurn) {
    const decided = combinations(replies);
    // The delivery may be written in the turn of the decision.
    const deliveries = byTurn.get(turn.replace(/ execute$/, " deliver")) ?? [];
    for (const chosen of [...decided, ...deliveries.flatMap((one) => decided.map((few) => [...few, one]))]) {
      if (chosen.some(({ usage }) => usage === null)) estimated.add(chosen.length);
      const input = chosen.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0);
      const output = chosen.reduce((sum, { usage }) => sum + (usage?.output_tokens ?? 0), 0);
      const taken = chosen.reduce((sum, { ms }) => sum + ms, 0) / 1000;
      const key = `${chosen.length} ${input} ${output}`;
      seconds.set(key, Math.min(taken, seconds.get(key) ?? Number.POSITIVE_INFINITY));
    }
  }
  return { seconds, estimated };
}

/**
 * Returns all combinations of one to three replies, because turns that started at the same time cannot be
 * distinguished.
 */
function combinations(replies: readonly LoggedPrompt[]): readonly (readonly LoggedPrompt[])[] {
  let found: (readonly LoggedPrompt[])[] = [];
  for (const reply of replies)
    found = [...found, [reply], ...found.filter(({ length }) => length < CALLS_MAX).map((few) => [...few, reply])];
  return found;
}
