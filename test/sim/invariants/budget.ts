// I9: no budget is exceeded by more than one call, and the state's counters match the entries' costs.
import type { Evidence, StoredThread } from "../evidence.ts";

export function budgetsHold({ threads, prompts }: Evidence): readonly string[] {
  const tokensMax = prompts.reduce((most, { tokens }) => Math.max(most, tokens), 0);
  return threads.flatMap((thread) =>
    [...notOverdrawn(thread, tokensMax), ...totalsMatch(thread)].map((flaw) => `I9 ${thread.at.thread}: ${flaw}`),
  );
}

const notOverdrawn = ({ records }: StoredThread, tokensMax: number): readonly string[] =>
  records.flatMap(({ version, entry, state }) => {
    const { limit, used } = state.budget;
    const wrong: string[] = [];
    if (Object.values(used).some((amount) => amount < 0)) wrong.push(`record ${version} has a negative usage`);
    if (!entry.usage) return wrong;
    if (used.turns > limit.turns) wrong.push(`record ${version} is turn ${used.turns} of ${limit.turns}`);
    if (limit.tokens !== null && used.tokens > limit.tokens + tokensMax)
      wrong.push(`record ${version} used ${used.tokens} of ${limit.tokens} tokens`);
    // The limit is calculated with the highest token price.
    if (limit.usd !== null && used.usd > limit.usd + (tokensMax * 30) / 1_000_000)
      wrong.push(`record ${version} used ${used.usd} of ${limit.usd} USD`);
    return wrong;
  });

/** Checks that the sum over a run's entries equals the counters in its newest state. */
function totalsMatch({ records }: StoredThread): readonly string[] {
  let run = -1;
  let turns = 0;
  let tokens = 0;
  return records.flatMap(({ version, entry, state }) => {
    if (entry.run !== run) {
      run = entry.run;
      turns = 0;
      tokens = 0;
    }
    turns += entry.usage ? 1 : 0;
    tokens += entry.usage ? entry.usage.input_tokens + entry.usage.output_tokens : 0;
    const { used } = state.budget;
    return used.turns === turns && used.tokens === tokens
      ? []
      : [`record ${version} counts ${used.turns} turns and ${used.tokens} tokens, not ${turns} and ${tokens}`];
  });
}
